import type { WireSchema } from "@deputy/protocol";

/** What `/openapi.json` says of a route, besides what every route has. */
export interface RouteDoc {
  readonly summary: string;
  readonly query?: Readonly<Record<string, QueryDoc>>;
  /** The schema that the body is read with; `bytes`: anything, as it is; `signed`: what its sender makes of it. */
  readonly body?: WireSchema | "bytes" | "signed";
  /** By status, what it answers when nothing is wrong. */
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
