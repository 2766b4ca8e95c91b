import type { Button, Message, Run, Style } from "@deputy/channels";

/** Slack's rich text: what people see is text, whatever it looks like, and nothing in it mentions anybody. */
export function slackBlocks({ runs, buttons = [] }: Message): readonly object[] {
  const text = { type: "rich_text", elements: partsOf(runs) };
  return buttons.length === 0 ? [text] : [text, { type: "actions", elements: buttons.map(buttonOf) }];
}

/** What a phone shows in a notification. In this text Slack's own signs are escaped. */
export function slackSummary(runs: readonly Run[]): string {
  const text = runs.map((run) => run.text).join("");
  return escapeSlack(text.trim().slice(0, MOST_SUMMARY));
}

/** Slack counts what people see, in UTF-16. */
export function slackLength(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const MOST_SUMMARY = 300;
/** Asks for a reason before it is pressed for good. */
export const ASKS = "deputy_asks";
export const ANSWERS = "deputy_answers";

const STYLES = { yes: { style: "primary" }, no: { style: "danger" }, more: {} } as const;

function buttonOf({ label, data, kind }: Button, at: number): object {
  return {
    type: "button",
    action_id: `${kind === "no" ? ASKS : ANSWERS}_${at}`,
    text: { type: "plain_text", text: label },
    value: data,
    ...STYLES[kind],
  };
}

type Kind = "rich_text_section" | "rich_text_preformatted" | "rich_text_quote";

/** Neighbours of one kind are one part, which Slack begins on a line of its own. */
function partsOf(runs: readonly Run[]): object[] {
  const parts: { type: Kind; runs: Run[] }[] = [];
  for (const run of runs) {
    const type = kindOf(run.styles);
    const last = parts.at(-1);
    if (last?.type === type) last.runs.push(run);
    else parts.push({ type, runs: [run] });
  }
  return parts.flatMap(({ type, runs: own }, at) => {
    const lines = type === "rich_text_section" ? withoutBreaks(own, at > 0, at < parts.length - 1) : own;
    const elements = lines.filter(({ text }) => text !== "").map((run) => elementOf(run, type));
    return elements.length === 0 ? [] : [{ type, elements }];
  });
}

/** A line break beside another part would be a second one. */
function withoutBreaks(runs: readonly Run[], isAfter: boolean, isBefore: boolean): readonly Run[] {
  return runs.map(({ text, styles }, at) => {
    const rest = isAfter && at === 0 ? text.replace(/^\n/, "") : text;
    return { text: isBefore && at === runs.length - 1 ? rest.replace(/\n$/, "") : rest, styles };
  });
}

function kindOf(styles: readonly Style[]): Kind {
  if (styles.some(({ kind }) => kind === "block")) return "rich_text_preformatted";
  return styles.some(({ kind }) => kind === "quote") ? "rich_text_quote" : "rich_text_section";
}

function elementOf({ text, styles }: Run, type: Kind): object {
  if (type === "rich_text_preformatted") return { type: "text", text };
  const names = new Set(styles.map(({ kind }) => kind));
  const style = Object.fromEntries(
    (["bold", "italic", "strike", "code"] as const)
      .filter((kind) => names.has(kind))
      .map((kind) => [kind, true]),
  );
  const look = Object.keys(style).length === 0 ? {} : { style };
  const link = styles.find((one) => one.kind === "link");
  return link === undefined
    ? { type: "text", text, ...look }
    : { type: "link", url: link.url, text, ...look };
}
