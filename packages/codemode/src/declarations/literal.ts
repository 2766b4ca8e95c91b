import { makeVisible } from "@deputy/kit";

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
