import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/** Where tests keep compiled sources, apart from those of the program. */
export const COMPILE_CACHE = fileURLToPath(new URL("../node_modules/.cache/tests", import.meta.url));

// As vitest's setup: threads that a test starts hundreds of times find their sources compiled. Processes do not
// inherit it, since writing the cache is more than the system calls that some tests count.
enableCompileCache(COMPILE_CACHE);
