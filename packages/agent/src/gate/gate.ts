import { type Clock, type IdSource, span, type TurnId, type CallId } from "@deputy/kit";
import type { Policy } from "@deputy/policy";
import type { Redactor } from "@deputy/secrets";
import type { BlobStore, EventLog, NewEvent, Sha256, StreamId } from "@deputy/protocol";
import type { Catalogue, CatalogueTool, ToolContext } from "@deputy/tools";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import { createPutQuestion } from "../approvals/approval-question.ts";
import type { AskInCall } from "../approvals/ask-in-call.ts";
import { createApprovalWait } from "../approvals/approval-wait.ts";
import { createAskUser } from "../approvals/ask-user.ts";
import type { CallCounter } from "../budget/call-counter.ts";
import { type CallCredentials, createCallCredentials, type CredentialIssuer } from "./call-credentials.ts";
import { decidedEvent, endedGrant, requestedEvent, settledEvent } from "./call-record.ts";
import type { CallPlace, CallRequest } from "./call-request.ts";
import { settledEntry } from "../cell/cell-journal.ts";
import type { BoundGrant, GrantsView } from "../grants/grants-view.ts";
import { findHolding } from "../grants/holding-grants.ts";
import type { InterruptedCalls } from "./interrupted-call.ts";
import { createJudgeCall, readTerms } from "./judge-call.ts";
import { type GatedCall, STOPPED } from "./gated-call.ts";
import { pauseForLarge } from "./json-size.ts";
import type { PriorCall } from "./prior-call.ts";
import type { Foresee } from "../plan/foresight.ts";
import { readPlannedAnswer } from "../plan/planned-answer.ts";
import { inputHashOf, readInput } from "./read-input.ts";
import {
  type CallEnd,
  denied,
  failed,
  invalidInput,
  noTool,
  RAN_WHEN_STOPPED,
  type Receipt,
  unknownEnd,
  type Attachment,
} from "./receipt.ts";
import { runTool } from "./run-tool.ts";
import { isFromTool } from "../origins/session-origins.ts";
import { isSuspended, throwIfSuspended } from "../turn/stop-request.ts";

const MOST_OF_A_CALL = 20;

const NOT_COME_BACK = "Deputy was stopped before it ran, and its program ended without making it again.";

/** The only way a tool runs: call → policy → approval → run → receipt, each step an event. */
export interface Gate {
  /**
   * Rejects only when the log does, or with the `SuspendRequest` that stopped it: what the tool, the
   * policy and the user do is in the receipt. A call with a `prior` goes on from where that one was.
   */
  call(request: CallRequest, signal: AbortSignal): Promise<Receipt>;
  /**
   * Ends a call that an earlier process had begun and to which its program does not come back: one that was running is
   * `unknown`, any other never ran. Rejects only when the log does.
   */
  leave(place: CallPlace, prior: PriorCall): Promise<Receipt>;
  /** What the gate would decide about these calls of a turn now. Asking has no effect. */
  foresee(place: { readonly stream: StreamId; readonly turnId: TurnId }): Promise<Foresee>;
}

export interface GateDeps {
  readonly log: EventLog;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsView;
  /**
   * One counter for all gates over a log. Absent: calls are not counted, and every call with a budget asks the user.
   */
  readonly counter?: CallCounter | undefined;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sha256: Sha256;
  /** Stores tools' attachments. Absent: tools cannot keep any. */
  readonly blobs?: Pick<BlobStore, "put"> | undefined;
  /** Gives tools their credentials. Absent: tools get none. */
  readonly credentials?: CredentialIssuer | undefined;
  /** See `createInterruptedCalls`. */
  readonly onSuspect?: ((gated: GatedCall, deaths: number) => void) | undefined;
  /** After so long a question is no longer open, and its call is denied; absent: it never ends. */
  readonly approvalTtlMs?: number | undefined;
}

export function createGate(deps: GateDeps): Gate {
  const { log, redactor } = deps;
  const putQuestion = createPutQuestion(deps);
  const judge = createJudgeCall(deps);
  const wait = createApprovalWait(deps);
  const ask = createAskUser({ ...deps, putQuestion, wait });
  const askInCall: AskInCall = async (gated, question, signal) => {
    const { createAskInCall } = await import("../approvals/ask-in-call.ts");
    return await createAskInCall({ ...deps, wait })(gated, question, signal);
  };

  /** Writes down how a call ended, for the log and for its program. */
  const settle = async (
    ending: {
      readonly place: CallPlace;
      readonly callId: CallId;
      readonly tool: CatalogueTool | undefined;
      readonly input: unknown;
      readonly inputHash: string;
      readonly askedJson?: string | undefined;
      readonly durability: "relaxed" | "full";
    },
    outcome: CallEnd,
    before: readonly NewEvent[],
  ): Promise<Receipt> => {
    const { place, callId, tool, input, inputHash, askedJson, durability } = ending;
    await pauseForLarge(outcome.resultJson);
    const quoted = quotedIn(tool, input, outcome);
    const source = isFromTool(outcome) ? (quoted ?? (await tool?.sourceOf?.(input))) : undefined;
    // Taken together, right before the append: the journal has settlements in this order.
    const told = { atMs: deps.clock.now(), order: place.nextOrder() };
    const { stream, toolPath, cellId, index } = place;
    // A call that did not run took no time: the wait for an answer is the user's.
    const common = { callId, toolPath, input, durationMs: 0, ...outcome };
    const receipt: Receipt = {
      ...common,
      ...told,
      ...(source === undefined ? {} : { source }),
      ...(quoted === undefined ? {} : { isQuoting: true }),
      ...(askedJson === undefined ? {} : { askedJson }),
    };
    const journal = [settledEntry(cellId, { ...common, index, inputHash, askedJson, atMs: told.atMs })];
    const settled = settledEvent(receipt, place, tool, redactor);
    await log.append(stream, [...before, settled], { durability, journal });
    return receipt;
  };

  const leave: Gate["leave"] = async (place, prior) => {
    await (await interrupted()).withdraw(prior, NOT_COME_BACK);
    const { callId, input, inputHash, stage } = prior;
    const tool = deps.catalogue.get(prior.toolPath);
    const outcome =
      stage.kind === "asked" ? failed("interrupted", NOT_COME_BACK) : unknownEnd(RAN_WHEN_STOPPED);
    return await settle({ place, callId, tool, input, inputHash, durability: "full" }, outcome, []);
  };

  const call = async (request: CallRequest, signal: AbortSignal): Promise<Receipt> => {
    const { prior } = request;
    const tool = deps.catalogue.get(request.toolPath);
    const input = await readInput(tool, request.inputJson);
    const inputHash = inputHashOf(deps.sha256, input);
    const foreseen = prior === undefined ? request.plans?.take(request.toolPath, inputHash) : undefined;
    const callId = prior?.callId ?? foreseen?.callId ?? deps.ids.next("call");
    const durability = tool?.effect === "read" ? ("relaxed" as const) : ("full" as const);
    const opening =
      prior === undefined ? [requestedEvent(callId, request, input.json, inputHash, redactor)] : [];

    const askedJson = JSON.stringify(input.json) === request.inputJson ? undefined : request.inputJson;
    const ending = { place: request, callId, tool, input: input.json, inputHash, askedJson, durability };
    const end = (outcome: CallEnd, before: readonly NewEvent[] = []): Promise<Receipt> =>
      settle(ending, outcome, before);

    /** A call that can no longer be made; one that was running may have happened all the same. */
    const refuse = async (message: string, refusal: CallEnd): Promise<Receipt> => {
      if (prior !== undefined) await (await interrupted()).withdraw(prior, message);
      const wasRunning = prior !== undefined && prior.stage.kind !== "asked";
      const { isToolError } = refusal;
      const words = isToolError === undefined ? {} : { isToolError };
      return await end(wasRunning ? { ...unknownEnd(message), ...words } : refusal, opening);
    };

    if (tool === undefined) {
      const message = noTool(request.toolPath);
      return await refuse(message, failed("unknown_tool", message));
    }
    if (input.kind === "invalid") return await refuse(input.message, invalidInput(input, tool));
    const counts = await deps.counter?.of(request);
    const session = request.stream;
    const gated: GatedCall = {
      callId,
      request,
      session,
      tool,
      input,
      inputHash,
      foreseen,
      durability,
      counts,
    };
    const outcome =
      prior === undefined ? await decide(gated, opening, signal) : await goOn(gated, prior, signal);
    counts?.end(callId, outcome.status);
    return await end(outcome, opening);
  };

  /** Decides and runs a new call. Events that are still to be appended stay in `opening`. */
  const decide = async (gated: GatedCall, opening: NewEvent[], signal: AbortSignal): Promise<CallEnd> => {
    const { callId, request, counts } = gated;
    const terms = await readTerms(gated, request);
    const holding = await findHolding(deps.sha256, await deps.grants.of(request.stream), gated);
    // After the tool has been asked, which may take its time: what was revoked meanwhile allows nothing.
    const grants = holding.of(await deps.grants.of(request.stream));
    for (const grantId of holding.ended) opening.push(endedGrant(grantId, request));
    const known = { counts: counts?.current() };
    const own = judge(gated, terms, request, { grants, ...known });
    const allows = (grant: BoundGrant): boolean =>
      judge(gated, terms, request, { grants: [grant], ...known }).decision === "allow";
    const grantId = own.rule === "grant" ? grants.find(allows)?.id : undefined;
    // In one step with the judgement: of calls side by side, each is one more than the last.
    counts?.begin(callId, request.toolPath);
    const answer = own.decision === "deny" ? undefined : await readPlannedAnswer(deps, gated);
    const decision = answer === undefined ? { ...own, grantId } : answer.decision;
    opening.push(decidedEvent(callId, request, decision, redactor));
    if (answer?.refusal !== undefined) return answer.refusal;
    if (decision.decision === "deny") return denied(decision.reasons.join(" "));
    if (decision.decision === "ask") {
      const refusal = await ask.whether(gated, decision, opening, signal);
      if (refusal !== undefined) return refusal;
    }
    throwIfSuspended(signal);
    if (signal.aborted) return denied(STOPPED);
    const isOnTerms = answer === undefined && decision.decision === "allow" && own.approval === "auto";
    return await run(gated, isOnTerms ? "terms" : "user", opening.splice(0), signal);
  };

  const run = async (
    gated: GatedCall,
    approvedBy: ToolContext["approvedBy"],
    opening: readonly NewEvent[],
    signal: AbortSignal,
  ): Promise<CallEnd> => {
    const { callId, request, tool, input, durability } = gated;
    throwIfSuspended(signal);
    const data = { callId, toolPath: request.toolPath, idempotencyKey: callId };
    const started: NewEvent = { type: "call.started", turnId: request.turnId, data };
    await log.append(request.stream, [...opening, started], { durability });
    // Stopped at the last moment. A shutdown is no reason: not run now, it would have to be asked about.
    if (signal.aborted && !isSuspended(signal)) return denied(STOPPED);
    const kept = deps.blobs === undefined ? undefined : createCallAttachments(deps.blobs);
    const { toolPath } = request;
    const credentials =
      deps.credentials === undefined
        ? undefined
        : createCallCredentials({ toolPath, issuer: deps.credentials, redactor });
    const progress = createCallProgress(deps, callId, request);
    const waits = createWaits(deps.clock);
    const context: ToolContext = {
      ...contextOf(gated, approvedBy, signal, kept, credentials, progress),
      isGranted: () => isGranted(gated),
      ask: (question) => waits.during(askInCall(gated, question, signal)),
    };
    const startedMs = deps.clock.monotonicMs();
    const ran = await runTool(deps.clock, tool, input.value, context);
    const durationMs = deps.clock.monotonicMs() - startedMs - waits.totalMs();
    progress.end();
    await noteSeen(deps.catalogue, tool, ran);
    const end = { ...(credentials === undefined ? ran : credentials.close(ran)), durationMs };
    return kept === undefined ? end : { ...end, attachments: kept.list() };
  };

  /** Would a grant of the user's alone let this call run now? */
  const isGranted = async (gated: GatedCall): Promise<boolean> => {
    const holding = await findHolding(deps.sha256, await deps.grants.of(gated.session), gated);
    const grants = holding.of(await deps.grants.of(gated.session));
    const terms = await readTerms(gated, gated.request);
    const of = (held: typeof grants) =>
      judge(gated, terms, gated.request, { grants: held, counts: gated.counts?.current() });
    return of(grants).decision === "allow" && of([]).decision !== "allow";
  };

  /** Loaded with the first call that an earlier process had begun. */
  const interrupted = async (): Promise<InterruptedCalls> => {
    const { createInterruptedCalls } = await import("./interrupted-call.ts");
    return createInterruptedCalls({
      ...deps,
      wait,
      ask,
      run: (gated, approvedBy, signal) => run(gated, approvedBy, [], signal),
      forbidden: async (gated) => {
        const grants = await deps.grants.of(gated.request.stream);
        const now = judge(gated, await readTerms(gated, gated.request), gated.request, {
          grants,
          counts: undefined,
        });
        return now.decision === "deny" ? now.reasons.join(" ") : undefined;
      },
    });
  };
  const goOn: InterruptedCalls["goOn"] = async (gated, prior, signal) => {
    gated.counts?.begin(gated.callId, gated.request.toolPath);
    return await (await interrupted()).goOn(gated, prior, signal);
  };

  const contextOf = (
    { callId, request }: GatedCall,
    approvedBy: ToolContext["approvedBy"],
    signal: AbortSignal,
    kept: CallAttachments | undefined,
    credentials: CallCredentials | undefined,
    progress: CallProgress,
  ): ToolContext => ({
    signal,
    ...(credentials === undefined ? {} : { credential: credentials.issue }),
    session: request.stream,
    turn: request.turnId,
    ...(request.origins === undefined ? {} : { untrusted: [...request.origins.untrusted] }),
    ...(kept === undefined ? {} : { attach: (content) => kept.add(content, signal) }),
    approvedBy,
    idempotencyKey: callId,
    sessionKey: request.sessionKey,
    log: credentials === undefined ? request.log : (text) => request.log(credentials.cleanText(text)),
    progress: progress.tell,
  });

  return {
    call: (request, signal) =>
      span(
        `execute_tool ${request.toolPath}`,
        { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": request.toolPath },
        async (note) => {
          const receipt = await call(request, signal);
          const { callId, status, durationMs, error } = receipt;
          // The span also has the wait for an answer; this is the tool's own time.
          note({ "gen_ai.tool.call.id": callId, "deputy.status": status, "deputy.tool.ms": durationMs });
          if (error !== undefined) note({ "error.type": error.code });
          return receipt;
        },
      ),
    leave,
    async foresee(place) {
      const { foreseeCalls } = await import("../plan/foresee-calls.ts");
      return await foreseeCalls({ ...deps, judge, putQuestion }, place);
    },
  };
}

/** Whose words a result has for which the tool's trust does not hold. */
function quotedIn(
  tool: CatalogueTool | undefined,
  input: unknown,
  { status, resultJson }: CallEnd,
): string | undefined {
  if (tool?.quotedIn === undefined || status !== "succeeded" || resultJson === undefined) return undefined;
  return tool.quotedIn(input, JSON.parse(resultJson));
}

/** Remembers the shape of a result for the next caller, if the tool's source does not declare it. */
async function noteSeen(
  { seen }: Catalogue,
  tool: CatalogueTool,
  { status, resultJson }: CallEnd,
): Promise<void> {
  if (seen === undefined || status !== "succeeded" || resultJson === undefined) return;
  if (tool.outputSchema !== undefined) return;
  await pauseForLarge(resultJson);
  seen.note(tool.path, JSON.parse(resultJson));
}

/** The attachments that one call has kept for the user, in order. */
interface CallAttachments {
  /** Rejects as the store does, or when there are too many. */
  add(
    content: Parameters<NonNullable<ToolContext["attach"]>>[0],
    signal: AbortSignal,
  ): Promise<{ readonly blobId: string }>;
  list(): readonly Attachment[];
}

function createCallAttachments(blobs: Pick<BlobStore, "put">): CallAttachments {
  const kept: Attachment[] = [];
  return {
    async add({ bytes, mimeType, name }, signal) {
      if (kept.length >= MOST_OF_A_CALL) throw new Error(`A call has ${MOST_OF_A_CALL} attachments at most`);
      const { blobId } = await blobs.put(once(bytes), signal);
      kept.push({ blobId, mimeType, name });
      return { blobId };
    },
    list: () => [...kept],
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Progress reports of a running tool, as events of its session. */
interface CallProgress {
  tell(message: string): void;
  /** Tells what was held back, since it might have been the beginning of a secret. */
  end(): void;
}

function createCallProgress(
  deps: { readonly log: Pick<EventLog, "append">; readonly redactor: Pick<Redactor, "pieces"> },
  callId: CallId,
  { stream, turnId, toolPath }: Pick<CallRequest, "stream" | "turnId" | "toolPath">,
): CallProgress {
  const pieces = deps.redactor.pieces();
  const append = (messages: readonly string[]): void => {
    const events = messages.map((message): NewEvent => ({
      type: "call.progress",
      turnId,
      data: { callId, toolPath, message },
    }));
    // Progress is a courtesy: a log that fails says so where it matters.
    if (events.length > 0) deps.log.append(stream, events, { durability: "relaxed" }).catch(() => undefined);
  };
  return { tell: (message) => append(pieces.push(message)), end: () => append(pieces.end()) };
}

/** Adds up the time in which at least one question is open. */
function createWaits(clock: Pick<Clock, "monotonicMs">): {
  during<T>(waiting: Promise<T>): Promise<T>;
  totalMs(): number;
} {
  let open = 0;
  let sinceMs = 0;
  let endedMs = 0;
  return {
    async during(waiting) {
      if (open === 0) sinceMs = clock.monotonicMs();
      open += 1;
      try {
        return await waiting;
      } finally {
        open -= 1;
        if (open === 0) endedMs += clock.monotonicMs() - sinceMs;
      }
    },
    totalMs: () => endedMs + (open === 0 ? 0 : clock.monotonicMs() - sinceMs),
  };
}
