import { findLookAlikes, longestBlanks, shorten, showOnOneLine, showText, spellOut } from "@deputy/kit";
import type { ApprovalPreview } from "@deputy/protocol";
import type { CallPlace, CatalogueTool } from "@deputy/tools";

/** A longer title goes on in the details. */
const TITLE_CHARS = 200;
const MOST_LOOK_ALIKES = 10;
/** The preview in the tool's own words. If a plugin's code for it fails, the preview is a plain one. */
export async function previewOf(
  tool: Pick<CatalogueTool, "path" | "preview">,
  input: unknown,
  place: CallPlace = {},
): Promise<ApprovalPreview> {
  try {
    return await tool.preview(input, place);
  } catch {
    return { title: tool.path };
  }
}

/**
 * The preview that every client gets. It has no invisible characters, its title is one line, and nothing is cut off.
 * It says why the user is asked, and which words of the input look like other words.
 */
export function finishPreview(
  preview: ApprovalPreview,
  input: unknown,
  reasons: readonly string[],
): ApprovalPreview {
  const { title, rest } = fitTitle(showOnOneLine(preview.title));
  const details = [rest, preview.details].filter((text) => text !== undefined).join("\n\n");
  const why = [...reasons.map(showOnOneLine), ...lookAlikes(input), ...longBlanks(input)];
  return {
    title,
    ...(details === "" ? {} : { details: showText(details) }),
    ...(why.length === 0 ? {} : { reasons: why }),
    ...(preview.changes === undefined ? {} : { changes: preview.changes.map(showChange) }),
    ...(preview.contents === undefined ? {} : { contents: preview.contents.map(showContents) }),
    ...(preview.effect === undefined ? {} : { effect: preview.effect }),
    ...(preview.rows === undefined || preview.rows.length === 0 ? {} : { rows: preview.rows.map(showRow) }),
  };
}

/** How the user is asked about a call that was running when Deputy stopped. */
export function questionPreview(
  { title, details, ...rest }: ApprovalPreview,
  deaths: number,
): ApprovalPreview {
  const suspicion =
    deaths > 1
      ? `Deputy died ${deaths} times while this ran, so it may be the cause. It is not repeated unless you say yes. `
      : "";
  const unknown =
    "This was running when Deputy stopped, so it may or may not have happened. Look first. Yes runs it again; no continues without it; if it did happen, enter its result (in the terminal: h and its JSON; in the API: result).";
  return {
    ...rest,
    title: `Did this happen? ${title}`,
    details: details === undefined ? suspicion + unknown : `${suspicion}${unknown}\n\n${details}`,
  };
}

/** Whoever shows the input unchanged is told to look behind its long blanks. */
function longBlanks(input: unknown): readonly string[] {
  const longest = longestBlanks(textsOf(input).join("·"));
  return longest === undefined ? [] : [`It has ${longest} in a row: look at what stands behind them`];
}

function fitTitle(title: string): { readonly title: string; readonly rest: string | undefined } {
  if (title.length <= TITLE_CHARS) return { title, rest: undefined };
  return { title: shorten(title, TITLE_CHARS), rest: title };
}

function showChange({ path, diff }: { readonly path: string; readonly diff: string }) {
  return { path: showOnOneLine(path), diff: showText(diff) };
}

function showContents({ path, text }: { readonly path: string; readonly text: string }) {
  return { path: showOnOneLine(path), text: showText(text) };
}

function showRow({
  path,
  text,
  source,
}: {
  readonly path: string;
  readonly text: string;
  readonly source: string;
}) {
  return { path, text: showOnOneLine(text), source: showOnOneLine(source) };
}

function lookAlikes(input: unknown): readonly string[] {
  return findLookAlikes(textsOf(input).join("\n"), MOST_LOOK_ALIKES).map(
    (word) => `“${word}” has letters that look like others: ${spellOut(word)}`,
  );
}

/** Every string in a value, names included. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsOf)];
}
