import { makeVisible } from "@deputy/kit";

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Text that needs no escape between quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;
const NOT_WORD = /[^A-Za-z0-9]+/;

/** A TypeScript string literal that shows every character it holds. */
export function stringLiteral(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return makeVisible(JSON.stringify(text));
}

/** A property name as it stands in an object type; quoted unless it is a plain identifier. */
export function propertyKey(name: string): string {
  return IDENTIFIER.test(name) ? name : stringLiteral(name);
}

/** `issues.list-all` → `IssuesListAll`; never empty, never starts with a digit. */
export function pascalCase(text: string): string {
  const words = text.split(NOT_WORD).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(name) ? name : `T${name}`;
}
