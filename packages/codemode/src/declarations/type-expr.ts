import { makeVisible } from "@deputy/kit";
/** A TypeScript type with its precedence, so that parentheses are added automatically. */
export type TypeExpr =
  | { readonly kind: "primary"; readonly text: string }
  | { readonly kind: "union" | "intersection"; readonly members: readonly string[] };

/** `unknown` and `never` are always these same objects. */
export const UNKNOWN: TypeExpr = primary("unknown");
export const NEVER: TypeExpr = primary("never");
/** Up to here a list is searched faster than a set is made. */
const FEW = 16;
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
  return expr.members.join(expr.kind === "union" ? " | " : " & ");
}

function combine(
  kind: "union" | "intersection",
  parts: readonly TypeExpr[],
  absorbing: TypeExpr,
  neutral: TypeExpr,
): TypeExpr {
  if (parts.includes(absorbing)) return absorbing;
  const isTelling = (part: TypeExpr): boolean => part !== neutral;
  const start = parts.findIndex(isTelling);
  const first = parts[start] ?? neutral;
  if (parts.findLastIndex(isTelling) === start) return first;
  const texts: string[] = [];
  for (const part of parts) {
    if (part === neutral) continue;
    if (part.kind === "primary") texts.push(part.text);
    else if (part.kind === kind) for (const member of part.members) texts.push(member);
    else texts.push(part.kind === "union" ? `(${print(part)})` : print(part));
  }
  const members = distinct(texts);
  return members.length === 1 ? first : { kind, members };
}

function distinct(texts: readonly string[]): readonly string[] {
  if (texts.length > FEW) return [...new Set(texts)];
  return texts.filter((text, index) => texts.indexOf(text) === index);
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Text that needs no escape between quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;
const WORD_START = /(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g;

/** A TypeScript string literal in which every character is visible. */
export function stringLiteral(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return makeVisible(JSON.stringify(text));
}

/** A property name as it is written in an object type: quoted, unless it is a plain identifier. */
export function propertyKey(name: string): string {
  return IDENTIFIER.test(name) ? name : stringLiteral(name);
}

/** `issues.list-all` → `IssuesListAll`; never empty, never starts with a digit. */
export function pascalCase(text: string): string {
  const name = text.replaceAll(WORD_START, (_all, first: string) => first.toUpperCase());
  return /^[A-Za-z]/.test(name) ? name : `T${name}`;
}
