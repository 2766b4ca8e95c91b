/** JSON Schema as it comes from outside: any draft, any nonsense. Only the emitter looks inside. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
