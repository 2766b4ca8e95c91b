import type { ParameterPart } from "../parse/word.ts";
import { Discard } from "../run/flow.ts";
import type { Shell } from "../run/shell.ts";
import { unescapeText } from "../text/escapes.ts";
import { quoteSingle } from "../text/quote.ts";
import { declaration } from "../variables/declaration.ts";
import { quoteDouble } from "../text/quote.ts";
import type { Expanded } from "./expand-parameter.ts";
import type { ParameterValue, Reference } from "./parameter-value.ts";
import { expandNow } from "./expand-now.ts";
import { expandPrompt } from "./prompt.ts";

/** `${x@Q}` and the like. */
export function transform(
  shell: Shell,
  how: string,
  reference: Reference,
  value: ParameterValue,
  part: ParameterPart,
): Expanded {
  const target = shell.variables.resolve(reference.name) ?? reference.name;
  const variable = shell.variables.find(target);
  const whole = reference.subscript === "@" || reference.subscript === "*";
  if (how === "a") {
    const attributes = variable?.attributes() ?? "";
    if (value.kind === "list")
      return { kind: "list", items: value.items.map(() => attributes), join: value.join };
    return { kind: "text", text: attributes };
  }
  if (how === "A") {
    if (reference.name === "@" || reference.name === "*") {
      return { kind: "text", text: `set -- ${shell.positional.map((each) => quoteSingle(each)).join(" ")}` };
    }
    if (variable === undefined || (!variable.isSet && variable.attributes() === ""))
      return { kind: "text", text: "" };
    if (value.kind === "text" && value.text === undefined && variable.attributes() === "")
      return { kind: "text", text: "" };
    return {
      kind: "text",
      text: declaration(
        target,
        variable,
        whole ? "all" : "element",
        value.kind === "text" ? value.text : undefined,
      ),
    };
  }
  if (how === "K" || how === "k") {
    const quote = variable?.shape === "associative" || variable?.shape === "indexed";
    if (!whole || !quote || variable === undefined) {
      return value.kind === "list"
        ? { kind: "list", items: value.items.map((item) => quoteSingle(item)), join: value.join }
        : { kind: "text", text: value.text === undefined ? "" : quoteSingle(value.text) };
    }
    const keys = variable.keys();
    const items = variable.values();
    if (how === "k") {
      return {
        kind: "list",
        items: keys.flatMap((key, i) => [key, items[i] ?? ""]),
        join: value.kind === "list" ? value.join : "@",
      };
    }
    const text = keys
      .map(
        (key, i) =>
          `${variable.shape === "associative" ? quoteKey(key) : key} ${quoteDouble(items[i] ?? "")}`,
      )
      .join(" ");
    return { kind: "text", text: variable.shape === "associative" && text !== "" ? `${text} ` : text };
  }
  const change = changer(shell, how);
  if (change === undefined) {
    shell.complain(`${part.source}: bad substitution`);
    throw new Discard(1);
  }
  if (value.kind === "list")
    return { kind: "list", items: value.items.map((item) => change(item)), join: value.join };
  return { kind: "text", text: value.text === undefined ? "" : change(value.text) };
}

const quoteKey = (key: string): string => (/^[A-Za-z0-9_]+$/.test(key) ? key : quoteDouble(key));

function changer(shell: Shell, how: string): ((text: string) => string) | undefined {
  switch (how) {
    case "Q":
      return quoteSingle;
    case "E":
      return (text) => unescapeText(text, "ansi-c").text;
    case "P":
      return (text) => expandNow(shell, expandPrompt(shell, text), "document");
    case "U":
      return (text) => text.toUpperCase();
    case "u":
      return (text) => text.charAt(0).toUpperCase() + text.slice(1);
    case "L":
      return (text) => text.toLowerCase();
    default:
      return undefined;
  }
}
