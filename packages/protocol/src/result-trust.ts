/**
 * Whose words a tool's results are. `trusted`: the user's own, or the system's; nobody else writes there.
 * `values`: others do, but the system vouches for some fields as a whole (ids, names and numbers that it
 * keeps); words inside them are not vouched for. Paths are dotted, `*` is any element or key: `*.id`.
 */
export type ResultTrust = "untrusted" | "trusted" | { readonly values: readonly string[] };
