import type { HistoryPart } from "../history/history.ts";
import { toModelMessage } from "../ingress/prompt.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** The place where a conversation is cut: between two pieces, so never between a call and its result. */
export interface Cut {
  /** To be summarised; an earlier summary among them. */
  readonly replaced: readonly HistoryPart[];
  /** The last event that is replaced. */
  readonly throughSeq: number;
  /** How much shorter the prompt gets, by estimate and before the summary. */
  readonly gainTokens: number;
}

/** How much of a conversation is kept. */
export interface Keep {
  readonly exchanges: number;
  readonly tokens: number;
  readonly messages: number;
  /** Messages that stay in the prompt wherever the cut is, by their `seq`. */
  readonly pinned: ReadonlySet<number>;
}

/**
 * Keeps the last exchanges (a user's message, and everything done about it) as long as they fit. If they do not, it
 * keeps fewer exchanges, then only the last pieces of the last one, and always the last piece, whatever its size.
 * Undefined when the prompt would not get shorter.
 */
export function chooseCut(parts: readonly HistoryPart[], keep: Keep): Cut | undefined {
  const gains = parts.map((part) => (isReplaceable(part, keep) ? tokensOf(part) : 0));
  const first = parts.findIndex((part) => isReplaceable(part, keep));
  if (first === -1) return undefined;
  const starts = parts.flatMap((_, at) => (beginsExchange(parts, at) ? [at] : []));
  const preferred = starts.slice(-Math.max(1, keep.exchanges)).filter((at) => at > first);
  const withinLast = Array.from(parts.keys()).filter((at) => at > Math.max(first, starts.at(-1) ?? 0));
  const all = parts.reduce((sum, part) => sum + tokensOf(part), 0);
  const gainsUpTo = sumUpTo(gains);
  const messagesFrom = (at: number): number => countMessages(parts.slice(at));
  const places = [...preferred, ...withinLast];
  const chosen =
    places.find((at) => all - (gainsUpTo[at] ?? 0) <= keep.tokens && messagesFrom(at) <= keep.messages) ??
    places.at(-1);
  const next = chosen === undefined ? undefined : parts[chosen];
  if (chosen === undefined || next === undefined) return undefined;
  return {
    replaced: parts.slice(0, chosen),
    throughSeq: next.fromSeq - 1,
    gainTokens: gainsUpTo[chosen] ?? 0,
  };
}

/** How many messages these are; a summary is one. */
export function countMessages(parts: readonly HistoryPart[]): number {
  return parts.reduce((sum, part) => sum + messagesIn(part), 0);
}

/** What Deputy says below a message is part of it. */
function messagesIn({ kind, messages }: HistoryPart): number {
  return kind === "answered" ? messages.length : Math.min(messages.length, 1);
}

function tokensOf({ messages }: HistoryPart): number {
  return estimateTokens(messages.map(toModelMessage));
}

/** An earlier summary is replaced too, but by one of about its length. */
function isReplaceable({ kind, fromSeq }: HistoryPart, { pinned }: Keep): boolean {
  return (kind === "said" && !pinned.has(fromSeq)) || kind === "answered";
}

function beginsExchange(parts: readonly HistoryPart[], at: number): boolean {
  return parts[at]?.kind === "said" && parts[at - 1]?.kind !== "said";
}

/** For each index, the sum of the sizes before it. */
function sumUpTo(sizes: readonly number[]): number[] {
  let sum = 0;
  return sizes.map((size) => (sum += size) - size);
}
