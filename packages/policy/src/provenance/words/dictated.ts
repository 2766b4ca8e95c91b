const QUOTED =
  /"([^"]{8,1000})"|“([^”]{8,1000})”|„([^“”]{8,1000})[“”]|«([^»]{8,1000})»|‘([^’]{8,1000})’|`([^`]{8,1000})`|(?<![\p{L}\p{N}])'([^\n]{8,1000}?)'(?![\p{L}\p{N}])/gu;
/** "Write them the following message: …", up to the end of the paragraph. */
const AFTER_COLON =
  /(?<!\p{L})(?:message|question|text|reply|answer|note|comment|words|saying|announcement|greeting|body|content)(?!\p{L})[^:\n]{0,80}:\s*([^\n]{8,1000})/giu;

export interface Dictated {
  readonly text: string;
  /** Where in the text it, or what announces it, begins. */
  readonly at: number;
}

/** The texts that somebody dictates, to be passed on as they are: in quotes, or behind a colon. */
export function readDictated(text: string): readonly Dictated[] {
  const quoted = [...text.matchAll(QUOTED)].map((found) => ({
    text: found.slice(1).join(""),
    at: found.index,
  }));
  const afterColon = [...text.matchAll(AFTER_COLON)].map(({ index, 1: found = "" }) => ({
    text: found,
    at: index,
  }));
  return [...quoted, ...afterColon];
}
