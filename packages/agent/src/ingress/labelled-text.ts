declare const LABELLED: unique symbol;

/** Who wrote a piece of a prompt. */
export type Author =
  /** Deputy's own sentences. */
  | { readonly kind: "deputy" }
  /** What the user typed: their messages, and what they said with a yes or a no. */
  | { readonly kind: "user" }
  /** The agent's files, and skills in the home. Values in them count as the user's own. */
  | { readonly kind: "configuration" }
  /** What Deputy's tools and the user's plugins say about themselves. It explains no value. */
  | { readonly kind: "tools" }
  /** What the model itself has written in this session. */
  | { readonly kind: "model" }
  /** What a program or a model has made. `from`: the untrusted sources of what it was made of. */
  | { readonly kind: "derived"; readonly from: readonly string[] }
  /**
   * Somebody else. `text` makes the session hold untrusted text. `names` are identifiers without sentences, such as
   * the namespaces of tools: they explain nothing either, and by themselves they make no call ask.
   */
  | { readonly kind: "other"; readonly source: string; readonly weight: "text" | "names" };

/** A piece of text with its author. Only this module makes one, so nothing else can stand in a prompt. */
export interface Part {
  readonly text: string;
  readonly by: Author;
  /** The same as its author wrote it, where it is shown in another form, such as escaped. */
  readonly raw?: string;
  readonly [LABELLED]: true;
}

/** Text for a prompt: every character has an author. */
export type Text = readonly Part[];

const DEPUTY: Author = { kind: "deputy" };

function partOf(text: string, by: Author, raw?: string): Part {
  const part = raw === undefined || raw === text ? { text, by } : { text, by, raw };
  return part as Part;
}

/** Text of somebody other than Deputy. Deputy's own is written with `ours`. */
export function textBy(by: Exclude<Author, { kind: "deputy" }>, text: string, raw?: string): Text {
  return text === "" ? [] : [partOf(text, by, raw)];
}

/**
 * Deputy's own words: the literal text of a template. What is inserted must be labelled, or be a number; an
 * unlabelled string does not typecheck.
 */
export function ours(strings: TemplateStringsArray, ...inserted: readonly (Text | number)[]): Text {
  return strings.flatMap((own, at) => {
    const next = inserted[at] ?? [];
    const after = typeof next === "number" ? [partOf(String(next), DEPUTY)] : next;
    return own === "" ? after : [partOf(own, DEPUTY), ...after];
  });
}

export function joinText(texts: readonly Text[], between: Text): Text {
  return texts.flatMap((text, at) => (at === 0 ? text : [...between, ...text]));
}

/** The text without its labels, to be shown, counted or kept; never to be put into a prompt. */
export function plainText(text: Text): string {
  return text.map((part) => part.text).join("");
}

/** The author whom a mixture of texts is to be trusted like: the least trusted of them. */
export function leastTrusted(text: Text): Author {
  const ranked = text.map(({ by }) => by).toSorted((a, b) => rankOf(b) - rankOf(a));
  return ranked[0] ?? DEPUTY;
}

const RANKS: Readonly<Record<Author["kind"], number>> = {
  deputy: 0,
  tools: 1,
  user: 2,
  configuration: 2,
  model: 3,
  derived: 4,
  other: 5,
};

function rankOf(by: Author): number {
  return RANKS[by.kind];
}
