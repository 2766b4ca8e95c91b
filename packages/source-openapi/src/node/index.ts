// OpenAPI documents from files and addresses, on Node.
export { readSpec } from "./read-spec.ts";
