import type { CallId } from "@deputy/kit";
import { canonicalJson } from "@deputy/policy";
import type { GatedCall } from "../gate/gated-call.ts";
import type { ApprovalId, PlannedCall, Sha256 } from "@deputy/protocol";

/** A question that is in the log: what exactly it was about. */
export interface Asked {
  readonly approvalId: ApprovalId;
  readonly bindingHash: string;
  /** Hash of what an approval depends on besides the input. In a plan, each call has its own. */
  readonly circumstances?: string | undefined;
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
}

export function callBinding(sha256: Sha256, call: Omit<BoundCall, "callId">): string {
  const { programHash, toolPath, inputHash, circumstances } = call;
  return sha256(canonicalJson({ program: programHash, tool: toolPath, input: inputHash, circumstances }));
}

export function planBinding(sha256: Sha256, programHash: string, calls: readonly PlannedCall[]): string {
  const listed = calls.map(({ callId, toolPath, inputHash, circumstances }) => [
    callId,
    toolPath,
    inputHash,
    ...(circumstances === undefined ? [] : [circumstances]),
  ]);
  return sha256(canonicalJson({ program: programHash, calls: listed }));
}

/** Is this the call that the user was asked about? Its circumstances may have changed since. */
export function isAbout(sha256: Sha256, asked: Asked, call: BoundCall): boolean {
  const { circumstances } = asked;
  if (asked.calls === undefined) return asked.bindingHash === callBinding(sha256, { ...call, circumstances });
  const listed = asked.calls.find(({ callId }) => callId === call.callId);
  if (listed?.toolPath !== call.toolPath || listed.inputHash !== call.inputHash) return false;
  return asked.bindingHash === planBinding(sha256, call.programHash, asked.calls);
}

/** The hash of what else a yes to a call is about; undefined for a tool that names nothing. */
export async function circumstancesOf(
  sha256: Sha256,
  { tool, input }: Pick<GatedCall, "tool" | "input">,
): Promise<string | undefined> {
  const told = await tool.circumstancesOf?.(input.value);
  return told === undefined ? undefined : sha256(told);
}

/** Has something that the user could look at changed since they were asked? */
export async function isOtherwise(
  sha256: Sha256,
  asked: Asked,
  gated: Pick<GatedCall, "callId" | "tool" | "input">,
): Promise<boolean> {
  const { circumstances } = asked.calls?.find(({ callId }) => callId === gated.callId) ?? asked;
  return circumstances !== (await circumstancesOf(sha256, gated));
}
