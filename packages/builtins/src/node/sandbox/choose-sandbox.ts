import { makeVisible } from "@deputy/kit";
import { type OuterSandbox, ToolsError } from "@deputy/tools";
import { type CommandPlace, createPlace, type PlaceTerms } from "../../sandbox/command-place.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { openCgroups } from "./cgroups.ts";
import { probeLimits, probeSandbox } from "./probe-sandbox.ts";
import type { SandboxRecord } from "./sandbox-record.ts";

export interface PlaceOptions {
  readonly terms: PlaceTerms;
  /** The program of bubblewrap. */
  readonly bubblewrap: string;
  /** Whether Deputy itself is root. */
  readonly isRoot: boolean;
  readonly record: SandboxRecord;
}

/**
 * Chooses the sandbox for commands on this machine by trying it. `auto`: bubblewrap where it works, else none, unless
 * something worked before; `none`; and any other: that or nothing. It is never weaker than an earlier process promised,
 * because the user's old approvals and grants may be used only now. Throws `sandbox_unavailable`.
 */
export function chooseSandbox(
  choice: "auto" | "none" | "bubblewrap" | { readonly own: OuterSandbox },
  { terms, bubblewrap, isRoot, record }: PlaceOptions,
): CommandPlace {
  if (choice === "none") return openNone(terms);
  const sandbox =
    typeof choice === "object"
      ? choice.own
      : createBubblewrap({ program: bubblewrap, isRoot, cgroups: openCgroups() });
  const found = probeSandbox(sandbox, terms);
  if (found.kind === "holds") {
    if (sandbox.promises.files === "view") record.promise(sandbox.name);
    return createPlace(sandbox, terms, found.unkept);
  }
  const why = makeVisible(found.why);
  if (choice === "auto" && !record.wasPromised()) return openNone(terms, why);
  throw new ToolsError(
    "sandbox_unavailable",
    `Commands may only run in ${makeVisible(sandbox.name)}, which does not work${choice === "auto" ? " any more" : ""}: ${why}`,
    {
      hint:
        typeof choice === "object"
          ? 'Mend it, or allow commands without it: tools.bash.sandbox "none".'
          : 'Install bubblewrap, or allow commands without it: tools.bash.sandbox "none".',
    },
  );
}

/** `why`: what keeps this machine from having a sandbox. */
function openNone(terms: PlaceTerms, why?: string): CommandPlace {
  const none = createNoSandbox();
  return createPlace(none, terms, probeLimits(none, terms), why);
}

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
