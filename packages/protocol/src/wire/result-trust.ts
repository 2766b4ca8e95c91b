/**
 * Who wrote a tool's results. `trusted`: the user or the system, and nobody else. `values`: others, but some
 * whole fields are the system's own (ids, names and numbers that it assigns); words inside the fields are not
 * trusted. Paths are dotted, `*` is any element or key: `*.id`.
 */
export type ResultTrust = "untrusted" | "trusted" | { readonly values: readonly string[] };
