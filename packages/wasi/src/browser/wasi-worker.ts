import { serveJobs } from "../worker/serve-jobs.ts";
import type { WasiJob } from "../worker/job.ts";

serveJobs({
  post: (message) => postMessage(message),
  onJob: (run) => addEventListener("message", ({ data }: MessageEvent<WasiJob>) => run(data)),
});
