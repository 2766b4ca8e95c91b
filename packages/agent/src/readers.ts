// What commands read of the log: questions, grants, usage.
export { createApprovalsReader } from "./approvals/approvals-reader.ts";
export { createGrantsReader } from "./grants/grants-reader.ts";
export { readUsage } from "./usage/read-usage.ts";
export { addUsage, NO_USAGE } from "./usage/sum-usage.ts";
