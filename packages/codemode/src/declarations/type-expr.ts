/** A TypeScript type that knows how tightly it binds, so that nobody has to think of parentheses. */
export type TypeExpr =
  | { readonly kind: "primary"; readonly text: string }
  | { readonly kind: "union" | "intersection"; readonly members: readonly TypeExpr[] };

/** `unknown` and `never` are always these objects, never made anew. */
export const UNKNOWN: TypeExpr = primary("unknown");
export const NEVER: TypeExpr = primary("never");
export const NULL: TypeExpr = primary("null");

/** Text that can stand anywhere without parentheses: a name, a literal, `{ … }`, `[ … ]`. */
export function primary(text: string): TypeExpr {
  return { kind: "primary", text };
}

/** Without repeats and `never`; `unknown` absorbs the rest. */
export function unionOf(parts: readonly TypeExpr[]): TypeExpr {
  return combine("union", parts, UNKNOWN, NEVER);
}

/** Without repeats and `unknown`; `never` absorbs the rest. */
export function intersectionOf(parts: readonly TypeExpr[]): TypeExpr {
  return combine("intersection", parts, NEVER, UNKNOWN);
}

export function arrayOf(element: TypeExpr): TypeExpr {
  return primary(`${element.kind === "primary" ? element.text : `(${print(element)})`}[]`);
}

export function print(expr: TypeExpr): string {
  if (expr.kind === "primary") return expr.text;
  if (expr.kind === "union") return expr.members.map(print).join(" | ");
  return expr.members
    .map((member) => (member.kind === "union" ? `(${print(member)})` : print(member)))
    .join(" & ");
}

function combine(
  kind: "union" | "intersection",
  parts: readonly TypeExpr[],
  absorbing: TypeExpr,
  neutral: TypeExpr,
): TypeExpr {
  const telling = parts.filter((part) => part !== neutral);
  const [only = neutral, another] = telling;
  if (another === undefined) return only;
  const flat = telling.flatMap((part) => (part.kind === kind ? part.members : [part]));
  if (flat.includes(absorbing)) return absorbing;
  const [first = neutral, ...rest] = new Map(flat.map((part) => [print(part), part])).values();
  return rest.length === 0 ? first : { kind, members: [first, ...rest] };
}
