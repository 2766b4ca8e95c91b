import type { GrantId } from "@deputy/kit";
import type { GrantBinding, Sha256 } from "@deputy/protocol";
import { type AskedOf, groundsOf, toolHashOf } from "../approvals/approval-binding.ts";
import type { GatedCall } from "../gate/gated-call.ts";
import type { BoundGrant } from "./grants-view.ts";

/** What of the user's grants holds for one call. */
export interface Holding {
  /** These grants, the same ones or later ones, without what does not hold. */
  of(grants: readonly BoundGrant[]): readonly BoundGrant[];
  /** Those of which nothing holds any more: they have ended. */
  readonly ended: readonly GrantId[];
}

const ALL_HOLDS: Holding = { of: (grants) => grants, ended: [] };

/**
 * Finds out what of these grants holds for one call: bindings to a tool that has become another, or to an input whose
 * grounds have changed, such as a script that says something else now, do not. It may ask the tool; never rejects.
 */
export async function findHolding(
  sha256: Sha256,
  grants: readonly BoundGrant[],
  call: AskedOf & Pick<GatedCall, "inputHash">,
): Promise<Holding> {
  const { tool, inputHash } = call;
  const isAbout = ({ toolPath, inputHash: bound }: GrantBinding): boolean =>
    toolPath === tool.path && (bound === undefined || bound === inputHash);
  const bindings = grants.flatMap((grant) => grant.bindings).filter(isAbout);
  if (bindings.length === 0) return ALL_HOLDS;
  const toolHash = toolHashOf(sha256, tool);
  const asksTool = bindings.some(({ groundsHash }) => groundsHash !== undefined);
  const grounds = asksTool ? await groundsOf(sha256, call) : undefined;
  const holds = (binding: GrantBinding): boolean =>
    !isAbout(binding) ||
    ((binding.toolHash === undefined || binding.toolHash === toolHash) &&
      (binding.groundsHash === undefined || binding.groundsHash === grounds));
  return {
    of: (now) => now.map((grant) => Object.assign({}, grant, { bindings: grant.bindings.filter(holds) })),
    ended: grants.flatMap(({ id, bindings: all }) => (id === undefined || all.some(holds) ? [] : [id])),
  };
}
