/** The TypeScript in a message's first closed code fence marked `ts`, `typescript`, `js` or `javascript`. */
export function findFencedCode(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  for (let start = 0; start < lines.length; start++) {
    const open = /^ {0,3}(`{3,}|~{3,})\s*(?:ts|typescript|js|javascript)\s*$/i.exec(lines[start] ?? "");
    const fence = open?.[1];
    if (fence === undefined) continue;
    const close = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
    const end = lines.findIndex((line, at) => at > start && close.test(line));
    if (end > start) return lines.slice(start + 1, end).join("\n");
  }
  return undefined;
}
