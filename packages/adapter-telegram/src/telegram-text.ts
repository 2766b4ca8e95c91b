import { renderRuns, type Run, type Style, type Tags } from "@deputy/channels";

const NAMES = { bold: "b", italic: "i", strike: "s", code: "code", quote: "blockquote" } as const;

/** Telegram's HTML. Code stands alone: there it can be part of nothing else. */
const TAGS: Tags = {
  open(style) {
    if (style.kind === "link") return `<a href="${escape(style.url)}">`;
    if (style.kind !== "block") return `<${NAMES[style.kind]}>`;
    return style.language === "" ? "<pre>" : `<pre><code class="language-${escape(style.language)}">`;
  },
  close(style) {
    if (style.kind === "link") return "</a>";
    if (style.kind !== "block") return `</${NAMES[style.kind]}>`;
    return style.language === "" ? "</pre>" : "</code></pre>";
  },
  escape,
  allow: (styles) => {
    const code = styles.find(({ kind }) => kind === "block" || kind === "code");
    return code === undefined ? firstOfEach(styles) : [code];
  },
};

/** The same tag inside itself means nothing, and a quote inside a quote is refused. */
function firstOfEach(styles: readonly Style[]): readonly Style[] {
  return styles.filter(({ kind }, at) => styles.findIndex((other) => other.kind === kind) === at);
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export function telegramHtml(runs: readonly Run[]): string {
  return renderRuns(runs, TAGS);
}

/** Of more, Telegram shows the rest without its styles. */
const MOST_STYLED = 100;

/** Telegram counts what people see, in UTF-16. What has too many styled pieces fits no more than what is too long. */
export function telegramLength(runs: readonly Run[]): number {
  const most = runs.reduce((sum, { styles }) => sum + styles.length, 0);
  if (most > MOST_STYLED && (telegramHtml(runs).match(/<[a-z]/g)?.length ?? 0) > MOST_STYLED) return Infinity;
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}
