import { createNodeTypeChecker } from "./type-checker.ts";

// A process with a checker, for the test that kills it.
const checker = createNodeTypeChecker();
const check = checker.check({ code: "return 1;", declarations: "" }, new AbortController().signal);
await check;
process.stdout.write("checked\n");
setInterval(() => undefined, 1_000);
