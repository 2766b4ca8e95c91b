import type { CallId, GrantId } from "@deputy/kit";
import type { PolicyDecision } from "@deputy/policy";
import type { Redactor } from "@deputy/secrets";
import type { EventData, Label, NewEvent } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";
import type { CallRequest } from "./call-request.ts";
import type { CallError, Receipt } from "./receipt.ts";
import { redactJson } from "./redact-json.ts";
import { isFromTool, trustOf } from "../origins/session-origins.ts";

const PREVIEW_CHARS = 200;
/** A refusal's body beyond that is in the journal only. */
const BODY_CHARS = 4_000;

type CallFailure = NonNullable<EventData<"call.settled">["error"]>;

/** The event that begins a call. Labels name sources, and these may be made of a call's input. */
export function requestedEvent(
  callId: CallId,
  request: CallRequest,
  input: unknown,
  inputHash: string,
  redactor: Redactor,
): NewEvent {
  const { turnId, cellId, index, toolPath, calledAs } = request;
  const labels = request.labels.map(({ trust, source }) => ({ trust, source: redactor.text(source) }));
  const path = { toolPath, ...(calledAs === undefined ? {} : { calledAs }) };
  const data = { callId, cellId, index, ...path, input: redactor.json(input), inputHash, labels };
  return { type: "call.requested", turnId, data };
}

/** The reasons name values, which may be secret. */
export function decidedEvent(
  callId: CallId,
  request: CallRequest,
  decision: PolicyDecision & { readonly grantId?: GrantId | undefined },
  redactor: Redactor,
): NewEvent {
  const { decision: verdict, rule, reasons, grantId } = decision;
  const data = {
    callId,
    decision: verdict,
    rule,
    provenance: redactor.json([...reasons]),
    ...(grantId !== undefined && { grantId }),
  };
  return { type: "call.decided", turnId: request.turnId, data };
}

/** What a grant was for is no more: it must not come back with it, nor be listed. */
export function endedGrant(grantId: GrantId, { turnId }: CallRequest): NewEvent {
  return { type: "grant.revoked", turnId, data: { grantId, by: "deputy" } };
}

/** The event that ends a call. */
export function settledEvent(
  receipt: Receipt,
  request: Pick<CallRequest, "turnId" | "cellId">,
  tool: CatalogueTool | undefined,
  redactor: Redactor,
): NewEvent {
  const { callId, toolPath, status, error, resultJson, durationMs } = receipt;
  const shown = error === undefined ? redactedResult(resultJson, redactor) : redactor.text(error.message);
  return {
    type: "call.settled",
    turnId: request.turnId,
    data: {
      callId,
      cellId: request.cellId,
      toolPath,
      status,
      ...(shown === undefined ? {} : { preview: shorten(shown) }),
      ...(error === undefined ? {} : { error: failureOf(error, redactor) }),
      attachments: (receipt.attachments ?? []).map(({ blobId, mimeType, name }) => ({
        blobId,
        mimeType,
        name: redactor.text(name),
      })),
      labels: labelsOf(receipt, tool, redactor),
      durationMs,
    },
  };
}

function redactedResult(json: string | undefined, redactor: Redactor): string | undefined {
  return json === undefined ? undefined : redactJson(json, redactor).text;
}

function failureOf(error: CallError, redactor: Redactor): CallFailure {
  const { code, message, hint, status, bodyJson, declined } = error;
  return {
    code,
    message: redactor.text(message),
    ...(hint === undefined ? {} : { hint: redactor.text(hint) }),
    ...(status === undefined ? {} : { status }),
    ...(declined === undefined ? {} : { declined: redactor.json(declined) }),
    ...(bodyJson === undefined || bodyJson.length > BODY_CHARS
      ? {}
      : { body: redactor.json<unknown>(JSON.parse(bodyJson)) }),
  };
}

/** Labels that say where a result's words come from. What Deputy itself says about a call needs no label. */
function labelsOf(receipt: Receipt, tool: CatalogueTool | undefined, redactor: Redactor): Label[] {
  if (!isFromTool(receipt)) return [];
  const trust = trustOf(receipt, tool?.trust) === "trusted" ? "trusted" : "untrusted";
  return [{ trust, source: redactor.text(receipt.source ?? receipt.toolPath) }];
}

function shorten(text: string): string {
  return text.length <= PREVIEW_CHARS ? text : `${text.slice(0, PREVIEW_CHARS)}…`;
}
