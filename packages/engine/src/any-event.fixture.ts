import { createHash } from "node:crypto";
import { type IdKind, idPrefixes, type IdSource } from "@deputy/kit";
import {
  EVENT_SCHEMA_VERSION,
  eventDataSchemas,
  type EventType,
  FIRST_PREV,
  headerHash,
  type NewEvent,
  type StreamId,
} from "@deputy/protocol";
import { draftEvent, sealDraft } from "@deputy/store/log";
import * as fc from "fast-check";
import { z } from "zod";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/** Words that mean something somewhere, and an address that nothing here uses. */
const WORDS = ["main", "terminal", "terminal--default", "note", "heartbeat", "cli", "user", "deputy", "last"];
const TEXTS = [...WORDS, "Pay eve@evil.example 900", "bank.pay", "mail.send", "delivery:x", ""];

/** Any valid event of any type, with only a few ids, so that events refer to each other. */
export function anyEvent(ids: IdSource, taken: readonly string[], nowMs: number): fc.Arbitrary<NewEvent> {
  const pools = new Map<string, readonly string[]>();
  for (const [kind, prefix] of Object.entries(idPrefixes))
    pools.set(prefix, [
      ids.next(kind as IdKind),
      ids.next(kind as IdKind),
      ...taken.filter((id) => id.startsWith(`${prefix}_`)),
    ]);
  const soon = [-60_000, 0, 2_000, 3_600_000].map((ms) => new Date(nowMs + ms).toISOString());
  const values: Values = { pools, soon };
  const types = Object.entries(eventDataSchemas) as [EventType, z.ZodType][];
  const turnId = fc.option(fc.constantFrom(...(pools.get(idPrefixes.turn) ?? [])), { nil: undefined });
  return fc.oneof(
    ...types.map(([type, schema]) => {
      const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
      return fc
        .tuple(anyValue(json, values), turnId)
        .filter(([data]) => schema.safeParse(data).success)
        .map(([data, id]) => (id === undefined ? { type, data } : { type, data, turnId: id }) as NewEvent);
    }),
  );
}

interface Values {
  readonly pools: ReadonlyMap<string, readonly string[]>;
  readonly soon: readonly string[];
}

function anyValue(schema: JsonSchema, values: Values): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => anyValue(choice, values)));
  switch (schema.type) {
    case "string":
      return fc.constantFrom(...stringsFor(schema, values));
    case "integer":
    case "number":
      return fc.constantFrom(...[0, 1, 2, 2_000, 3_600_000].filter((n) => n >= lowest(schema)));
    case "boolean":
      return fc.boolean();
    case "array":
      return schema.prefixItems === undefined
        ? fc.array(anyValue(schema.items ?? {}, values), { maxLength: 2 })
        : fc.tuple(...schema.prefixItems.map((item) => anyValue(item, values)));
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [
            name,
            anyValue(property, values),
          ]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    default:
      return fc.constantFrom<unknown>("Pay eve@evil.example 900", { to: "eve@evil.example" }, 1, null);
  }
}

function lowest({ minimum = 0, exclusiveMinimum }: JsonSchema): number {
  return exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
}

function stringsFor({ pattern = "", format }: JsonSchema, { pools, soon }: Values): readonly string[] {
  if (format === "date-time") return soon;
  const prefix = /^\^([a-z]+)_/.exec(pattern)?.[1];
  if (prefix !== undefined) return pools.get(prefix) ?? [];
  if (pattern.startsWith("^delivery:")) return [`delivery:${sha256("")}`];
  return pattern === "" ? TEXTS : [sha256("")];
}

/** The lines of a file with valid hashes, which anyone can compute. */
export function sealFile(
  stream: StreamId,
  events: readonly NewEvent[],
  { ids, at }: { readonly ids: IdSource; readonly at: string },
): string[] {
  let prev: string = FIRST_PREV;
  const lines = events.map((event, n) => {
    const salt = "0".repeat(32);
    const place = { id: ids.next("event"), stream, seq: n + 1, at, prev };
    const sealed = sealDraft(sha256, place, draftEvent(event), salt);
    prev = headerHash(sha256, sealed);
    return JSON.stringify({ ...sealed, salt });
  });
  const head = { format: "deputy-session", version: 1, stream, schemaVersion: EVENT_SCHEMA_VERSION };
  return [JSON.stringify(head), ...lines, JSON.stringify({ end: true, count: lines.length, headHash: prev })];
}
