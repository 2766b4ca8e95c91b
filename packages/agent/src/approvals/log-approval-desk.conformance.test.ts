import { createRedactor } from "@deputy/secrets";
import { describeApprovalDesk } from "@deputy/testing";
import { createLogApprovalDesk } from "./log-approval-desk.ts";

describeApprovalDesk("the approval desk over the log", (deps) =>
  createLogApprovalDesk({ ...deps, redactor: createRedactor([]) }),
);
