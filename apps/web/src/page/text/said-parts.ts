/** What somebody said, in parts: words as they were typed, and code between fences. */
export interface SaidPart {
  readonly kind: "words" | "code";
  readonly text: string;
  /** Of code. */
  readonly language: string;
}

const OPEN = /^(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$/;

/** A fence that nothing closes is words, as is all that comes after it. */
export function saidParts(text: string): readonly SaidPart[] {
  const parts: SaidPart[] = [];
  let words: string[] = [];
  let code: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;
  const endWords = (): void => {
    const said = words.join("\n").replace(/^\n+|\n+$/g, "");
    if (said.trim() !== "") parts.push({ kind: "words", text: said, language: "" });
    words = [];
  };
  for (const line of text.split("\n")) {
    const [, fence = "", language = ""] = OPEN.exec(line) ?? [];
    if (code === undefined && fence === "") words.push(line);
    else if (code === undefined) code = { fence, language, lines: [line] };
    else if (line.trimEnd().startsWith(code.fence) && /^(?:`+|~+)$/.test(line.trimEnd())) {
      endWords();
      parts.push({ kind: "code", text: code.lines.slice(1).join("\n"), language: code.language });
      code = undefined;
    } else code.lines.push(line);
  }
  if (code !== undefined) words.push(...code.lines);
  endWords();
  return parts.length > 0 ? parts : [{ kind: "words", text, language: "" }];
}
