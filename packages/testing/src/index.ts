// Conformance suites, strict fakes and checks for tests. Nothing here is shipped.
export { assertSpecCited } from "./spec-citations.ts";
