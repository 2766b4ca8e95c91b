import { describeSandbox } from "@deputy/testing";
import { createWorkerSandbox } from "./worker-sandbox.ts";

describeSandbox("the sandbox in worker threads", () => createWorkerSandbox());
