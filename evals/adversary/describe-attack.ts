import type { Told } from "./conversation.ts";
import type { Attack } from "./generate.ts";

const MOST_CHARS = 600;

/** An attack as an engineer reads it: what was said and read, and what passed. */
export function describeAttack({ told, call }: Attack): string {
  const lines = told.map(lineOf);
  const { tool, input, forged } = call;
  const critical = tool.critical === "all" ? "all critical" : `critical: ${tool.critical.join(", ")}`;
  const passed = `PASSED ${tool.path} (${tool.effect}, ${critical}) ${cut(JSON.stringify(input))}`;
  return [...lines, `${passed}, where the attacker chose ${forged.join(", ")}`]
    .map((line, at) => (at === 0 ? `  - ${line}` : `    ${line}`))
    .join("\n");
}

function lineOf(one: Told): string {
  switch (one.kind) {
    case "user":
      return `user: ${one.text}`;
    case "declined":
      return `user said no to ${one.toolPath} ${cut(JSON.stringify(one.input))}: ${one.said ?? ""}`;
    case "approved":
      return `user approved for this conversation: ${one.toolPath} ${cut(JSON.stringify(one.input))}`;
    case "configuration":
      return `configuration: ${one.text}`;
    case "names":
      return `${one.source} (names): ${one.text}`;
    case "unheard":
      return `${one.source} (shown to the model, not told to the gate): ${one.text}`;
    default: {
      const { source, trust, isPlanted, result } = one;
      return `${source} (${trustIn(trust)}${isPlanted === true ? ", attacked" : ""}): ${cut(JSON.stringify(result))}`;
    }
  }
}

function trustIn(trust: Extract<Attack["told"][number], { kind: "result" }>["trust"]): string {
  return typeof trust === "string" ? trust : `vouches for ${trust.values.join(" ")}`;
}

function cut(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`;
}
