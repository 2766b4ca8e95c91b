import type { CallId } from "@deputy/kit";
import { canonicalJson } from "@deputy/policy";
import type { ApprovalId, PlannedCall, Sha256 } from "@deputy/protocol";

/** A question that is in the log: what exactly it was about. */
export interface Asked {
  readonly approvalId: ApprovalId;
  readonly bindingHash: string;
  /** Of a plan. */
  readonly calls?: readonly PlannedCall[] | undefined;
}

/** The exact bytes of a call that an approval is for. */
export interface BoundCall {
  readonly callId: CallId;
  readonly programHash: string;
  readonly toolPath: string;
  readonly inputHash: string;
}

export function callBinding(sha256: Sha256, { programHash, toolPath, inputHash }: BoundCall): string {
  return sha256(canonicalJson({ program: programHash, tool: toolPath, input: inputHash }));
}

export function planBinding(sha256: Sha256, programHash: string, calls: readonly PlannedCall[]): string {
  const listed = calls.map(({ callId, toolPath, inputHash }) => [callId, toolPath, inputHash]);
  return sha256(canonicalJson({ program: programHash, calls: listed }));
}

/** Whether it was this very call that was asked about. */
export function isAbout(sha256: Sha256, asked: Asked, call: BoundCall): boolean {
  if (asked.calls === undefined) return asked.bindingHash === callBinding(sha256, call);
  const listed = asked.calls.find(({ callId }) => callId === call.callId);
  if (listed?.toolPath !== call.toolPath || listed.inputHash !== call.inputHash) return false;
  return asked.bindingHash === planBinding(sha256, call.programHash, asked.calls);
}
