import { quoteBare, quoteDouble } from "../text/quote.ts";
import { quoteSingle } from "../text/quote.ts";
import type { Variable } from "./variable.ts";

/** The command that would make this variable: as `declare -p` shows it, or as `${x@A}` does. */
export function declaration(
  name: string,
  variable: Variable,
  style: "declare" | "all" | "element",
  element?: string,
): string {
  const attributes = variable.attributes();
  const flags = attributes === "" ? (style === "declare" ? "-- " : "") : `-${attributes} `;
  const head = style === "declare" || flags !== "" ? `declare ${flags}` : "";
  if (variable.shape !== "scalar" && style !== "element") {
    const body = arrayText(variable);
    return body === undefined ? `${head}${name}` : `${head}${name}=${body}`;
  }
  const text = style === "element" ? element : variable.text;
  if (text === undefined) return `${head}${name}`;
  return `${head}${name}=${style === "declare" ? quoteDouble(text) : quoteSingle(text)}`;
}

/** `([0]="a" [1]="b")` */
export function arrayText(variable: Variable): string | undefined {
  if (!variable.isSet) return undefined;
  const values = variable.values();
  const items = variable
    .keys()
    .map(
      (key, i) =>
        `[${variable.shape === "associative" ? quoteKey(key) : key}]=${quoteDouble(values[i] ?? "")}`,
    );
  if (variable.shape === "associative") return items.length === 0 ? "()" : `(${items.join(" ")} )`;
  return `(${items.join(" ")})`;
}

/** A value as `set` and `declare` without options show it. */
export const valueText = (variable: Variable): string =>
  variable.shape === "scalar" ? quoteBare(variable.text ?? "") : (arrayText(variable) ?? "()");

const quoteKey = (key: string): string =>
  /^[A-Za-z0-9_@%+=:,./*-]+$/.test(key) && key !== "@" && key !== "*" ? key : quoteDouble(key);
