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
