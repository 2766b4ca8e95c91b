import type { AssistantPart } from "../model.ts";
import { isObject, parseJson } from "./json.ts";

/**
 * The order of an answer's pieces. Providers want reasoning back in its place, but the port separates text,
 * reasoning and calls; so the order is part of `opaque`.
 */
export type LayoutEntry =
  | { readonly opaque: unknown }
  /** Length of a piece of the answer's text, in UTF-16 units. */
  | { readonly text: number }
  | { readonly call: string };

/** What `reasoning_done` carries. */
export interface OpaqueAnswer {
  /** The provider that it belongs to; no other provider gets it. */
  readonly wire: string;
  /** What it is valid with: a model, or the fingerprint of a prompt. */
  readonly bound: string;
  readonly layout: readonly LayoutEntry[];
}

/** Undefined if nothing in the answer has to be sent back. */
export function formatOpaque(answer: OpaqueAnswer): string | undefined {
  return answer.layout.some((entry) => "opaque" in entry) ? JSON.stringify(answer) : undefined;
}

/** Undefined if it is not one of this wire. */
export function parseOpaque(text: string | undefined, wire: string): OpaqueAnswer | undefined {
  const value = parseJson(text ?? "");
  if (!isObject(value) || value["wire"] !== wire || typeof value["bound"] !== "string") return undefined;
  const layout = value["layout"];
  if (!Array.isArray(layout) || !layout.every(isEntry)) return undefined;
  return { wire, bound: value["bound"], layout };
}

function isEntry(value: unknown): value is LayoutEntry {
  if (!isObject(value)) return false;
  return "opaque" in value || typeof value["text"] === "number" || typeof value["call"] === "string";
}

/** A piece of an answer as it is sent back. */
export type Piece =
  | { readonly kind: "opaque"; readonly value: unknown }
  | Exclude<AssistantPart, { readonly kind: "reasoning" }>;

/**
 * An answer's parts with its reasoning in its place. Without a usable `opaque` the reasoning is left out; so
 * is reasoning after text that has changed.
 */
export function arrangeAnswer(
  parts: readonly AssistantPart[],
  readOpaque: (opaque: string | undefined) => OpaqueAnswer | undefined,
): readonly Piece[] {
  const starts = parts.flatMap((part, at) => (part.kind === "reasoning" ? [at] : []));
  const bounds = [0, ...starts.filter((at) => at > 0), parts.length];
  return bounds.slice(1).flatMap((end, n) => {
    const section = parts.slice(bounds[n], end);
    const reasoning = section.find((part) => part.kind === "reasoning");
    const rest = section.filter((part) => part.kind !== "reasoning");
    const answer = reasoning === undefined ? undefined : readOpaque(reasoning.opaque);
    return answer === undefined ? rest : weave(answer.layout, rest);
  });
}

type Rest = Exclude<AssistantPart, { readonly kind: "reasoning" }>;

/** The pieces that can be placed although the text has changed. */
function leadingReasoning(layout: readonly LayoutEntry[]): readonly LayoutEntry[] {
  const end = layout.findIndex((entry) => !("opaque" in entry));
  return end < 0 ? layout : layout.slice(0, end);
}

function weave(layout: readonly LayoutEntry[], rest: readonly Rest[]): readonly Piece[] {
  const pieces: Piece[] = [];
  const calls = rest.filter((part) => part.kind === "tool_call");
  let text = rest.map((part) => (part.kind === "text" ? part.text : "")).join("");
  const placed = new Set<string>();
  const textLength = layout.reduce((sum, entry) => sum + ("text" in entry ? entry.text : 0), 0);
  const usable = textLength === text.length ? layout : leadingReasoning(layout);
  for (const entry of usable) {
    if ("opaque" in entry) pieces.push({ kind: "opaque", value: entry.opaque });
    else if ("text" in entry) {
      const piece = text.slice(0, entry.text);
      if (piece.trim() !== "") pieces.push({ kind: "text", text: piece });
      text = text.slice(entry.text);
    } else {
      const call = calls.find(({ id }) => id === entry.call);
      if (call !== undefined) pieces.push(call);
      placed.add(entry.call);
    }
  }
  if (text.trim() !== "") pieces.push({ kind: "text", text });
  pieces.push(...calls.filter(({ id }) => !placed.has(id)));
  const lastSaid = pieces.findLastIndex((piece) => piece.kind !== "opaque");
  return pieces.slice(0, lastSaid + 1);
}
