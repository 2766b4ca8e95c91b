import { ToolsError } from "@deputy/tools";

/** Replaces a piece of text that must be there, once or, with `all`, as often as it is. */
export function editText(
  path: string,
  text: string,
  edit: { readonly find: string; readonly replace: string; readonly all: boolean },
): { readonly text: string; readonly replacements: number } {
  const { find, replace, all } = edit;
  const parts = text.split(find);
  const replacements = parts.length - 1;
  if (replacements === 0)
    throw new ToolsError("text_not_found", `${path} does not hold the text to find`, {
      hint: "Read the file, and give the text exactly as it is there, white space included.",
    });
  if (replacements > 1 && !all)
    throw new ToolsError("text_ambiguous", `${path} holds the text to find ${replacements} times`, {
      hint: "Give more of what is around it, or all: true.",
    });
  return { text: parts.join(replace), replacements };
}
