import type { OuterSandbox } from "@deputy/tools";

/** No sandbox: a command has all rights of the user. */
export function createNoSandbox(): OuterSandbox {
  return {
    name: "none",
    promises: {
      files: "all",
      network: "always",
      endsProcesses: false,
      together: [],
      // A limit for their number would count the user's other programs.
      countsApart: false,
    },
    enter: ({ file, args, cwd, env }) => ({ file, args, cwd, env }),
  };
}
