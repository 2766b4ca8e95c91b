import { splitWords } from "./split-words.ts";

/** A parameter of a tool, as its schema names it. */
export interface Parameter {
  readonly name: string;
  readonly words: readonly string[];
  readonly isText: boolean;
  /** True if it is a web address. */
  readonly isAddress: boolean;
}

/** Names of addresses on the web. */
export const WEB_WORDS = setOf("url urls uri uris href link links webpage website endpoint webhook");
export const WEB_FORMATS = setOf("uri url iri uri-reference");
const PLACES = setOf("path folder directory dir file filename filepath");
const GOALS = setOf("destination dest save output out local target");
const NAMED = setOf("id ids uuid key");
/** What a person reads. */
const CONTENTS = setOf(
  `body message content text subject title description note notes comment caption summary remark reason details
  bio headline html markdown`,
);
/** The recipient or target. */
const RECEIVERS = setOf(
  `to cc bcc recipient recipients receiver email emails phone number numbers user users username channel contact
  chat room thread conversation person repo repository project`,
);

/** The parameters of a JSON Schema of an object; none where it is anything else. Never throws. */
export function parametersOf(schema: unknown): readonly Parameter[] {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return [];
  return Object.entries(schema["properties"]).map(([name, property]) => {
    const words = splitWords(name);
    const { type, format } = isRecord(property) ? property : {};
    const isAddress = (typeof format === "string" && WEB_FORMATS.has(format)) || has(words, WEB_WORDS);
    return { name, words, isText: type === undefined || type === "string", isAddress };
  });
}

/** True if, by its name, the argument says which file or folder is written. */
export function hasDestination(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ words }) => has(words, PLACES) && has(words, GOALS) && !isNamed(words));
}

/** The same of a download: there a place beside what names the thing is where it goes. */
export function hasDownloadDestination(parameters: readonly Parameter[]): boolean {
  const isPlace = ({ words }: Parameter): boolean => has(words, PLACES) && !isNamed(words);
  const isSource = ({ words, isAddress }: Parameter): boolean => isAddress || isNamed(words);
  return hasDestination(parameters) || (parameters.some(isPlace) && parameters.some(isSource));
}

/**
 * The arguments that must come from a trusted source: all of them, except text for people to read if another
 * argument names the recipient.
 */
export function criticalOf(parameters: readonly Parameter[]): readonly string[] | "all" {
  const isReceived = parameters.some(({ words }) => has(words, RECEIVERS) || isNamed(words));
  const critical = parameters.filter(({ words, isText }) => !isText || !CONTENTS.has(words.at(-1) ?? ""));
  return isReceived && critical.length < parameters.length ? critical.map(({ name }) => name) : "all";
}

function isNamed(words: readonly string[]): boolean {
  return NAMED.has(words.at(-1) ?? "");
}

function has(words: readonly string[], among: ReadonlySet<string>): boolean {
  return words.some((word) => among.has(word));
}

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
