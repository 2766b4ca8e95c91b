import type { IncomingHttpHeaders } from "node:http";
import type { FaultName, ScriptedAnswer } from "./scripted-answer.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A request as it came in; `raw` byte for byte. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: Json;
}

/** An error answer as documented by the service. */
export interface StatusFault {
  readonly status: number;
  readonly body: unknown;
}

/** An answer as the events of a wire, with its first visible piece marked. */
export interface AnswerFrames {
  readonly before: readonly string[];
  readonly output: readonly string[];
  readonly after: readonly string[];
}

/** One provider's wire, from the provider's side; keeps what the service would remember. */
export interface FakeWire {
  /** Where requests go. */
  readonly path: string;
  readonly contentType: string;
  readonly faults: Readonly<Partial<Record<FaultName, StatusFault>>>;
  /** What the real service would reject the request with. */
  complain(request: WireRequest): StatusFault | undefined;
  frames(answer: ScriptedAnswer, request: WireRequest): AnswerFrames;
  /** The error in the middle of a stream; undefined if the wire has none. */
  errorFrame(fault: FaultName): string | undefined;
  /** Answers to other requests, such as one for the server's version. */
  readonly others?: Readonly<Record<string, unknown>>;
}

export const FAKE_KEY = "sk-fake-0123456789abcdef";

/** Four bytes are about one token. */
export const countTokens = (value: unknown): number =>
  Math.ceil(Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value)) / 4);

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For words in a complaint, and for patterns that only text can match. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Its entries that are objects; the check of each comes with the check of the list. */
export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** The first field that is not among the known ones. */
export function unknownField(value: Json, known: readonly string[]): string | undefined {
  return Object.keys(value).find((key) => !known.includes(key));
}

/** Server-sent events, named or not. */
export const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Text in the pieces a model would stream it in: never through a character. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/[\s\S]{1,24}/gu) ?? [];
}
