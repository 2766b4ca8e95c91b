import { createMemoryTextFolder } from "./memory-text-folder.ts";
import { describeTextFolder } from "@deputy/testing";

describeTextFolder("a folder in memory", createMemoryTextFolder);
