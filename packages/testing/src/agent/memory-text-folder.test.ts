import { createMemoryTextFolder } from "./memory-text-folder.ts";
import { describeTextFolder } from "./text-folder-conformance.ts";

describeTextFolder("a folder in memory", createMemoryTextFolder);
