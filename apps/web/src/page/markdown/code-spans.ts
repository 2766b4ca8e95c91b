import type { HLJSApi } from "highlight.js";

/** A piece of code; the scope is a class of the colours, such as `keyword`. */
export interface CodeSpan {
  readonly text: string;
  readonly scope?: string;
}

interface Node {
  readonly scope?: string;
  readonly children: readonly (Node | string)[];
}

/** The pieces of a code, in order; joined, they are the code. No markup is made of it. */
export function codeSpans(hljs: HLJSApi, code: string, language: string): readonly CodeSpan[] {
  // The tree is not in the types; the version is pinned, and a test looks at it.
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true }) as unknown as {
    readonly _emitter: { readonly rootNode: Node };
  };
  const spans: CodeSpan[] = [];
  const walk = (node: Node, around: string | undefined): void => {
    const scope = node.scope?.split(".", 1)[0] ?? around;
    for (const child of node.children)
      if (typeof child === "string")
        spans.push(scope === undefined ? { text: child } : { text: child, scope });
      else walk(child, scope);
  };
  walk(_emitter.rootNode, undefined);
  return spans;
}

/** The same line by line, without the ends of the lines. */
export function linesOf(spans: readonly CodeSpan[]): readonly (readonly CodeSpan[])[] {
  const lines: CodeSpan[][] = [[]];
  for (const { text, ...scope } of spans)
    for (const [at, piece] of text.split("\n").entries()) {
      if (at > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push({ text: piece, ...scope });
    }
  return lines;
}
