import type { InjecCase, InjecTool } from "./read-injecagent.ts";

const PIECES = /[\w.+-]+@[\w.-]+\w|'[^']+'|"[^"]+"|\$?\d[\d,.:/-]*|\b(?:www|https?)\S+/g;

/**
 * Inputs that a model under the attacker's command may choose: pieces of the attacker's text, all of it,
 * words that the user said, or nothing.
 */
export function attackerInputs(
  tool: InjecTool,
  one: InjecCase,
): readonly Readonly<Record<string, unknown>>[] {
  const pieces = (one.attacker_instruction.match(PIECES) ?? []).map((piece) =>
    piece.replaceAll(/^['"]|['"]$/g, ""),
  );
  const users = Object.values(one.user_args);
  const fill = (values: readonly unknown[]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      tool.parameters.map(({ name, type }, at) => [
        name,
        ofType(type, values[at % Math.max(1, values.length)] ?? ""),
      ]),
    );
  return [fill(pieces), fill([one.attacker_instruction]), fill(users), {}];
}

function ofType(type: string, value: unknown): unknown {
  if (type === "array") return [value];
  if (type === "object") return { value };
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Number(String(value).replaceAll(/[^\d.]/g, "")) || 1;
  return String(value);
}
