/** Part of the description of every tool of the demo, so that no one takes it for the real thing. */
export function demoMark(not?: string): string {
  return `(demo: the folder demo in Deputy's home${not === undefined ? "" : `, not ${not}`})`;
}

/**
 * The address that the demo's tools show. The real port is looked up with each request: it changes with every start,
 * and questions and records of calls must not.
 */
export const DEMO_ORIGIN = "http://demo.localhost";

/** The name by which tasks wait for the demo's mail. */
export const DEMO_MAILBOX = "demo-mailbox";

/** Which edition of the demo's services this is. */
export const DEMO_VERSION = "0.1.0";

/** Pieces of OpenAPI documents. */
export const text = (description: string) => ({ type: "string", description }) as const;
export const time = (description: string) => ({ type: "string", format: "date-time", description }) as const;

/** An object with all of its properties required. */
export const object = (properties: Readonly<Record<string, object>>) => {
  return { type: "object", required: Object.keys(properties), properties } as const;
};

export const list = (items: object) => ({ type: "array", items }) as const;
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` }) as const;

/** A parameter of the path, or an optional one of the query. */
export const parameter = (name: string, place: "path" | "query", schema: object) => {
  return { name, in: place, required: place === "path", schema } as const;
};

export const KEY = { name: "Idempotency-Key", in: "header", schema: { type: "string" } } as const;

const content = (schema: object) => ({ "application/json": { schema } }) as const;
export const answers = (schema: object, status = 200) => ({
  [status]: { description: "Done", content: content(schema) },
});
export const takes = (schema: object) => ({ required: true, content: content(schema) }) as const;
