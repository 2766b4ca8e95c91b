import { parentPort } from "node:worker_threads";
import { serveJobs } from "../worker/serve-jobs.ts";

const port = parentPort;
if (port === null) throw new Error("This file is the source of a worker.");
serveJobs({
  post: (message) => port.postMessage(message),
  onJob: (run) => void port.on("message", run),
});
