import type { OuterSandbox } from "../bash/outer-sandbox.ts";

/** Nothing between a command and this machine but the user's rights. */
export function createNoSandbox(): OuterSandbox {
  return {
    level: {
      name: "none",
      reach:
        "No sandbox: it can read and change everything that you can, Deputy's home included, and use the network.",
      endsProcesses: false,
    },
    wrap: (command) => command,
  };
}
