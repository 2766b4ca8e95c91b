// The first module of a plugin's host, a process that `startHost` starts. It enables the cache of compiled
// modules before it imports anything, which halves a host's start.
import { enableCompileCache } from "node:module";

const [, , cacheDirectory] = process.argv;
if (cacheDirectory !== undefined && cacheDirectory !== "") enableCompileCache(cacheDirectory);
const { servePlugin } = await import("./serve-plugin.ts");
servePlugin();
