import { describeSandboxProbes } from "@deputy/testing";
import { createWorkerSandbox } from "./worker-sandbox.ts";

// A probe runs beside a bystander: with two workers that stay, the next one need not start another.
describeSandboxProbes("the sandbox in worker threads", () =>
  createWorkerSandbox({ limits: { workers: 2, idleWorkers: 2 } }),
);
