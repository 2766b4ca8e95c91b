// Commands on Node: sandboxes, processes, and what is kept of them.
// What does not belong here: anything a browser could run as it is.
export {
  chooseSandbox,
  type SandboxChoice,
  createSandboxRecord,
  probeBubblewrap,
  createCommandRunner,
} from "./choose-sandbox.ts";
export { createKeptOutput } from "./kept-output.ts";
