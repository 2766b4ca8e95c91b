import type { CellImage, Settlement } from "@deputy/codemode";
import type { CellId } from "@deputy/kit";
import { callStatusSchema, idSchema, type JournalEntry } from "@deputy/protocol";
import { z } from "zod";
import type { Receipt } from "../gate/receipt.ts";

/** Everything needed to run a cell again, unredacted. The log's own events are redacted. */
const programSchema = z.object({
  code: z.string(),
  startedAtMs: z.number(),
  /** Absent: as many as any cell. */
  maxCalls: z.int().nonnegative().optional(),
  /** Its last expression is its result, see `withLastValue`. Absent in programs of earlier versions, which ran without. */
  lastValue: z.literal(true).optional(),
});
export type JournalledProgram = z.infer<typeof programSchema>;

/** The settlement of a call, as the cell got it. Entries are in the order in which the cell got them. */
const settledSchema = z.object({
  index: z.int().nonnegative(),
  callId: idSchema("call"),
  toolPath: z.string(),
  input: z.unknown(),
  inputHash: z.string(),
  /** The program's own input as JSON, present when the tool's schema changed it. */
  askedJson: z.string().optional(),
  status: callStatusSchema,
  resultJson: z.string().optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
      status: z.int().optional(),
      bodyJson: z.string().optional(),
      declined: z.object({ call: z.string(), said: z.string().optional() }).optional(),
    })
    .optional(),
  isToolError: z.literal(true).optional(),
  atMs: z.number(),
  durationMs: z.number(),
});
export type JournalledSettlement = z.infer<typeof settledSchema>;

const answerSchema = z.object({ approvalId: z.string(), json: z.string() });

/** An image of the waiting cell, taken when it had got the first `after` settlements. */
export interface JournalledImage {
  readonly after: number;
  readonly bytes: CellImage;
}

export interface CellJournal {
  readonly program: JournalledProgram | undefined;
  readonly settled: readonly JournalledSettlement[];
  /** The last one. */
  readonly image: JournalledImage | undefined;
  /** Results that the user gave for calls with an unknown outcome, as JSON, by approval. */
  readonly answers: ReadonlyMap<string, string>;
}

export function programEntry(cellId: CellId, program: JournalledProgram): JournalEntry {
  return { cellId, kind: "program", bytes: encode(program) };
}

export function answerEntry(cellId: CellId, approvalId: string, value: unknown): JournalEntry {
  return { cellId, kind: "answer", bytes: encode({ approvalId, json: JSON.stringify(value ?? null) }) };
}

export function settledEntry(cellId: CellId, settled: JournalledSettlement): JournalEntry {
  return { cellId, kind: "settled", bytes: encode(settled) };
}

const AFTER_BYTES = 4;

export function imageEntry(cellId: CellId, image: JournalledImage): JournalEntry {
  const bytes = new Uint8Array(AFTER_BYTES + image.bytes.length);
  new DataView(bytes.buffer).setUint32(0, image.after, true);
  bytes.set(image.bytes, AFTER_BYTES);
  return { cellId, kind: "image", bytes };
}

/** Other kinds of entries are passed over. Throws for an entry that is not what its kind says. */
export async function readCellJournal(
  entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>,
): Promise<CellJournal> {
  let program: JournalledProgram | undefined;
  let image: JournalledImage | undefined;
  const settled: JournalledSettlement[] = [];
  const answers = new Map<string, string>();
  for await (const { kind, bytes } of entries) {
    if (kind === "program") program = programSchema.parse(decode(bytes));
    if (kind === "settled") settled.push(settledSchema.parse(decode(bytes)));
    if (kind === "answer") {
      const { approvalId, json } = answerSchema.parse(decode(bytes));
      answers.set(approvalId, json);
    }
    // One that is cut short is no loss: the record does as well.
    if (kind === "image" && bytes.length > AFTER_BYTES) {
      const after = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
      image = { after, bytes: bytes.slice(AFTER_BYTES) };
    }
  }
  return { program, settled, image, answers };
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decode(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The part of an ended call's receipt that its cell gets. */
export function settlementOf(
  ended: {
    readonly status: Receipt["status"];
    readonly resultJson?: string | undefined;
    readonly error?: Receipt["error"] | undefined;
  },
  atMs: number,
): Settlement {
  if (ended.status === "succeeded") return { kind: "ok", json: ended.resultJson ?? "null", atMs };
  if (ended.error === undefined)
    return { kind: "error", code: ended.status, message: "The call did not succeed.", atMs };
  const { code, message, status, bodyJson } = ended.error;
  return { kind: "error", code, message, status, bodyJson, atMs };
}
