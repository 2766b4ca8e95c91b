import { describeSandboxProbes } from "@deputy/testing";
import { createWorkerSandbox } from "./worker-sandbox.ts";

describeSandboxProbes("the sandbox in worker threads", () => createWorkerSandbox());
