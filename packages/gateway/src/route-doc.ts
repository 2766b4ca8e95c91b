import type { WireSchema } from "@deputy/protocol";

/** A route's entry in `/openapi.json`, in addition to what all routes have. */
export interface RouteDoc {
  readonly summary: string;
  readonly query?: Readonly<Record<string, QueryDoc>>;
  /** The schema for the body; `bytes`: any bytes; `signed`: in the sender's own format. */
  readonly body?: WireSchema | "bytes" | "signed";
  /** The successful answers, by status. */
  readonly answers: Readonly<Record<number, readonly AnswerDoc[]>>;
  /** How its errors look to clients. */
  readonly errors?: "openai" | "json_rpc";
}

export interface QueryDoc {
  readonly description: string;
  readonly pattern: string;
}

export type AnswerDoc =
  | { readonly kind: "json"; readonly schema: WireSchema }
  /** Server-sent events, each with this as its data. */
  | { readonly kind: "events"; readonly schema: WireSchema }
  | { readonly kind: "file"; readonly contentType: string };

export const json = (schema: WireSchema): readonly AnswerDoc[] => [{ kind: "json", schema }];
export const events = (schema: WireSchema): readonly AnswerDoc[] => [{ kind: "events", schema }];
