import hljs from "highlight.js/lib/core";
import { loadLanguage } from "./code-languages.ts";
import { codeSpans, type CodeSpan } from "./code-spans.ts";

/** What the page asks this worker, and what it answers. No spans: the code stays as it is. */
export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}
export interface HighlightAnswer {
  readonly id: number;
  readonly spans: readonly CodeSpan[] | undefined;
}

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<HighlightRequest>) => void) | null;
  postMessage(answer: HighlightAnswer): void;
};

async function highlight({ code, language }: HighlightRequest): Promise<readonly CodeSpan[] | undefined> {
  const loaded = await loadLanguage(language);
  if (loaded === undefined) return undefined;
  if (hljs.getLanguage(language) === undefined) hljs.registerLanguage(language, loaded.default);
  return codeSpans(hljs, code, language);
}

scope.onmessage = ({ data }) => {
  highlight(data).then(
    (spans) => scope.postMessage({ id: data.id, spans }),
    () => scope.postMessage({ id: data.id, spans: undefined }),
  );
};
