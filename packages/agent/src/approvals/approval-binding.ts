import type { CallId } from "@deputy/kit";
import { canonicalJson } from "@deputy/policy/canonical-json";
import type { CallPlace } from "@deputy/tools";
import type { GatedCall } from "../gate/gated-call.ts";
import type { ApprovalId, PlannedCall, Sha256 } from "@deputy/protocol";

/** A question that is in the log: what exactly it was about. */
export interface Asked {
  readonly approvalId: ApprovalId;
  readonly bindingHash: string;
  /** Hash of what an approval depends on besides the input. In a plan, each call has its own. */
  readonly circumstances?: string | undefined;
  /** Hash of what the tool was and who was behind it. In a plan, each call has its own. */
  readonly toolHash?: string | undefined;
  /** Present for a plan. */
  readonly calls?: readonly PlannedCall[] | undefined;
}

/** The exact bytes of a call that an approval is for. */
export interface BoundCall {
  readonly callId: CallId;
  readonly programHash: string;
  readonly toolPath: string;
  readonly inputHash: string;
  /** The hash of what else a yes is about, where the tool says something. */
  readonly circumstances?: string | undefined;
  /** The hash of what the tool is and who is behind it. */
  readonly toolHash?: string | undefined;
}

/** A call about which its tool is asked something before it runs. */
export type AskedOf = Pick<GatedCall, "tool" | "input" | "session"> & Partial<Pick<GatedCall, "callId">>;

export function placeOf({ session, callId }: Pick<AskedOf, "session" | "callId">): CallPlace {
  return { session, call: callId };
}

export function callBinding(sha256: Sha256, call: Omit<BoundCall, "callId">): string {
  const { programHash, toolPath, inputHash, circumstances, toolHash } = call;
  const bound = { program: programHash, tool: toolPath, input: inputHash, circumstances, toolHash };
  return sha256(canonicalJson(bound));
}

export function planBinding(sha256: Sha256, programHash: string, calls: readonly PlannedCall[]): string {
  const listed = calls.map(({ callId, toolPath, inputHash, circumstances, toolHash, groundsHash }) => ({
    callId,
    toolPath,
    inputHash,
    circumstances,
    toolHash,
    groundsHash,
  }));
  return sha256(canonicalJson({ program: programHash, calls: listed }));
}

/** Is this the call that the user was asked about? Its circumstances, and its tool, may have changed since. */
export function isAbout(sha256: Sha256, asked: Asked, call: BoundCall): boolean {
  const { circumstances, toolHash } = asked;
  if (asked.calls === undefined)
    return asked.bindingHash === callBinding(sha256, { ...call, circumstances, toolHash });
  const listed = asked.calls.find(({ callId }) => callId === call.callId);
  if (listed?.toolPath !== call.toolPath || listed.inputHash !== call.inputHash) return false;
  return asked.bindingHash === planBinding(sha256, call.programHash, asked.calls);
}

/** The hash of what else a yes to a call is about; undefined for a tool that names nothing. */
export async function circumstancesOf(sha256: Sha256, call: AskedOf): Promise<string | undefined> {
  const told = await call.tool.circumstancesOf?.(call.input.value, placeOf(call));
  return told === undefined ? undefined : sha256(told);
}

/**
 * Has something that the user could look at, or whoever is behind the tool, changed since they were asked? In a plan,
 * the calls before one may change what a yes to it alone depends on, so some tools name their grounds for that.
 */
export async function isOtherwise(
  sha256: Sha256,
  asked: Asked,
  gated: AskedOf & Pick<GatedCall, "callId">,
): Promise<boolean> {
  const planned = asked.calls?.find(({ callId }) => callId === gated.callId);
  if ((planned ?? asked).toolHash !== toolHashOf(sha256, gated.tool)) return true;
  if (planned !== undefined && gated.tool.boundInPlans === "grounds")
    return planned.groundsHash !== (await groundsOf(sha256, gated));
  return (planned ?? asked).circumstances !== (await circumstancesOf(sha256, gated));
}

/** The hash of what a tool is and who is behind it: another under the same name has another. */
export function toolHashOf(sha256: Sha256, tool: GatedCall["tool"]): string {
  const { identity, description, inputSchema, approval, effect, critical, grantable, anyValues } = tool;
  const terms = { approval, effect, critical, grantable, anyValues };
  return sha256(canonicalJson({ identity, description, inputSchema, ...terms }));
}

/** The hash of what a grant of this very input depends on; undefined for a tool that names nothing. */
export async function groundsOf(sha256: Sha256, call: AskedOf): Promise<string | undefined> {
  const { tool, input } = call;
  const told = await (tool.groundsOf ?? tool.circumstancesOf)?.call(tool, input.value, placeOf(call));
  return told === undefined ? undefined : sha256(told);
}
