// Commands on Node, and what is kept of them; what they run in is apart, because it is tried when the first one comes.
// What does not belong here: anything a browser could run as it is.
export { createCommandRunner } from "./command-runner.ts";
export { createKeptOutput } from "./kept-output.ts";
