// What needs Node: threads.
export { spawnNodeWorker } from "./spawn-node-worker.ts";
