// The first module of a plugin's host, a process that `startHost` starts. Nothing is imported before the cache of
// compiled modules is there: with it a host starts in half the time.
import { enableCompileCache } from "node:module";

const [, , cacheDirectory] = process.argv;
if (cacheDirectory !== undefined && cacheDirectory !== "") enableCompileCache(cacheDirectory);
const { servePlugin } = await import("./serve-plugin.ts");
servePlugin();
