import type { Model, ModelRequest } from "@deputy/model";
import type { Redactor } from "@deputy/secrets";
import type { CanonicalEvent, EventData, EventLog, Label } from "@deputy/protocol";
import { othersIn } from "../history/describe-cell.ts";
import { lastCompaction, readHistory } from "../history/history.ts";
import type { Turn } from "../turn/turn.ts";
import { chooseCut, countMessages } from "./choose-cut.ts";
import type { CompactionLimits } from "./compaction-limits.ts";
import { CHARS_PER_TOKEN, estimateRequestTokens, estimateTokens } from "./estimate-tokens.ts";
import { listEntries } from "./session-record.ts";
import { summarise } from "./summarise.ts";

export interface CompactionDeps {
  readonly log: Pick<EventLog, "append">;
  readonly model: Model;
  readonly redactor: Redactor;
  readonly limits: CompactionLimits;
}

/** A session's events and the prompt made from them, which has to become shorter. */
export interface LongPrompt {
  readonly events: readonly CanonicalEvent[];
  readonly request: ModelRequest;
}

/**
 * Has the earlier part of a session summarised, and records that in one append: a crash before it leaves everything
 * unchanged. `nothing_to_replace`: no model was asked, and nothing was written. `why` is `threshold` when the model
 * may still accept the prompt; a cut that gains little is then not worth its price. Too many messages do not mean
 * that they are long.
 */
export async function compactSession(
  deps: CompactionDeps,
  turn: Turn,
  { events, request }: LongPrompt,
  why: "threshold" | "messages" | "overflow",
  signal: AbortSignal,
): Promise<"compacted" | "nothing_to_replace"> {
  const { limits } = deps;
  const parts = readHistory(events);
  const promptTokens = estimateRequestTokens(request);
  // Many short messages leave as much room as there ever is; instructions alone may be longer than they are.
  const roomTokens =
    (why === "messages" ? limits.thresholdTokens : Math.min(limits.thresholdTokens, promptTokens)) / 2;
  const fixedTokens = promptTokens - estimateTokens(request.messages);
  const pinned = openMessages(events);
  const keep = {
    exchanges: limits.keepExchanges,
    tokens: roomTokens - fixedTokens,
    messages: limits.keepMessages,
    pinned,
  };
  const cut = chooseCut(parts, keep);
  if (cut === undefined || (why === "threshold" && cut.gainTokens < 2 * limits.summaryTokens))
    return "nothing_to_replace";

  const before = lastCompaction(events);
  const entries = deps.redactor.json(listEntries(before?.data, cut.replaced));
  const record = { recordChars: roomTokens * CHARS_PER_TOKEN, summaryTokens: limits.summaryTokens };
  const summary = await summarise(deps, entries, record, signal);
  const fromSeq = (before?.throughSeq ?? 0) + 1;
  const keptSeqs = [...pinned].filter((seq) => seq <= cut.throughSeq);
  const messagesBefore = countMessages(parts);
  // The summary is one, too.
  const messagesAfter = messagesBefore - countMessages(cut.replaced) + keptSeqs.length + 1;
  const data: EventData<"session.compacted"> = {
    fromSeq,
    throughSeq: cut.throughSeq,
    summary: summary.text,
    archive: `log:${turn.stream}#${fromSeq}-${cut.throughSeq}`,
    messagesBefore,
    messagesAfter,
    ...(keptSeqs.length === 0 ? {} : { keptSeqs }),
    labels: labelsWithin(events, cut.throughSeq),
    ...(summary.model === undefined ? {} : { model: summary.model }),
    usage: { ...summary.usage, modelCalls: 1 },
  };
  await deps.log.append(turn.stream, [{ type: "session.compacted", turnId: turn.turnId, data }]);
  return "compacted";
}

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

/** The user's messages since the last turn ended: the current turn is about them. */
function openMessages(events: readonly CanonicalEvent[]): ReadonlySet<number> {
  const from = events.findLastIndex(({ type }) => TURN_ENDS.has(type)) + 1;
  return new Set(events.slice(from).flatMap(({ type, seq }) => (type === "user.message" ? [seq] : [])));
}

/** A summary has the labels of everything it was made from, and so have later summaries that are made from it. */
function labelsWithin(events: readonly CanonicalEvent[], throughSeq: number): Label[] {
  const labels = new Map<string, Label>();
  // Those of the last summary first: they are of what came before all else.
  add(labels, lastCompaction(events)?.data.labels ?? []);
  for (const event of events) {
    if (event.type === "session.compacted") add(labels, event.data.labels ?? []);
    if (event.seq > throughSeq) continue;
    if (event.type === "call.settled") add(labels, event.data.labels);
    for (const { by } of othersIn(event))
      if (by.kind === "other" && by.weight === "text")
        add(labels, [{ trust: "untrusted", source: by.source }]);
  }
  return [...labels.values()];
}

function add(labels: Map<string, Label>, more: readonly Label[]): void {
  for (const label of more) labels.set(`${label.trust} ${label.source}`, label);
}
