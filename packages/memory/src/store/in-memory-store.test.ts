import { describeMemoryStore } from "@deputy/testing";
import { createInMemoryStore } from "./in-memory-store.ts";

describeMemoryStore("store in memory", async () => createInMemoryStore());
