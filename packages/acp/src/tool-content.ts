import type { ContentBlock, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import { makeVisible, shorten } from "@deputy/kit";

/** The limit for results of calls and programs; a question is never cut. */
const PREVIEW_CHARS = 4_000;

/** The path of the workspace for commands. A path in the editor's folder would name a file that has not changed. */
const WORKSPACE = "/workspace";

export const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** Nothing in the block is hidden, and nothing in it can end the block or act as Markdown. */
export function fenced(text: string, language = ""): ToolCallContent {
  const shown = makeVisible(text);
  const longest = Math.max(2, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return { type: "content", content: textBlock(`${fence}${language}\n${shown}\n${fence}`) };
}

export function preview(text: string, language = ""): ToolCallContent {
  return fenced(shorten(text, PREVIEW_CHARS), language);
}

/** The content of a call: its change to a file, if the input contains one, otherwise its input. */
export function inputContent(toolPath: string, input: unknown): readonly ToolCallContent[] {
  return [diffOf(toolPath, input) ?? preview(JSON.stringify(input, null, 2) ?? "", "json")];
}

function diffOf(toolPath: string, input: unknown): ToolCallContent | undefined {
  if (typeof input !== "object" || input === null || !("path" in input)) return undefined;
  if (typeof input.path !== "string") return undefined;
  const path = `${WORKSPACE}/${makeVisible(input.path)}`;
  if (toolPath === "files.write" && "content" in input && typeof input.content === "string")
    return { type: "diff", path, newText: makeVisible(input.content) };
  if (toolPath !== "files.edit" || !("find" in input) || !("replace" in input)) return undefined;
  const { find, replace } = input;
  if (typeof find !== "string" || typeof replace !== "string") return undefined;
  return { type: "diff", path, oldText: makeVisible(find), newText: makeVisible(replace) };
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  "files.read": "read",
  "files.list": "read",
  "files.write": "edit",
  "files.edit": "edit",
  "files.applyPatch": "edit",
  "files.remove": "delete",
  "files.glob": "search",
  "files.grep": "search",
  "workspace.commit": "edit",
  "workspace.diff": "read",
  "workspace.status": "read",
  "bash.run": "execute",
  "deputy.searchTools": "search",
  run_code: "execute",
};

/** Only chooses the editor's icon; no decision depends on it. */
export const kindOf = (toolPath: string): ToolKind =>
  Object.hasOwn(KINDS, toolPath) ? (KINDS[toolPath] ?? "other") : "other";

/** One line. */
export const titleOf = (text: string): string => makeVisible(text.replaceAll(/\s+/g, " ").trim());
