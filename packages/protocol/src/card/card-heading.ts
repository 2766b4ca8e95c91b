import type { ApprovalPreview } from "../events/call-events.ts";
import { cardValues } from "./asked-call.ts";

interface HeadedCall {
  readonly toolPath: string;
  readonly input?: unknown;
  readonly preview: Pick<ApprovalPreview, "title" | "effect">;
}

const MOST_TOOLS = 4;
const MOST_PLACE_CHARS = 60;
const HARMLESS = 2;

/**
 * What a plan does, and where: `Close 15 issues, mail.send × 2 in acme/website`. The tools come in the order
 * of what they can do: what destroys first, then what sends, then the most frequent. What destroys or sends is always
 * named. Nothing of it is a text of the calls, except for names in the path.
 */
export function headingOf(calls: readonly HeadedCall[]): string {
  const tools = [...Map.groupBy(calls, ({ toolPath }) => toolPath)]
    .map(([path, of]) => ({ path, count: of.length, rank: Math.min(...of.map(rankOf)) }))
    .sort((a, b) => a.rank - b.rank || b.count - a.count);
  const isNamed = (at: number, rank: number): boolean => rank < HARMLESS || at < MOST_TOOLS;
  const named = tools
    .filter(({ rank }, at) => isNamed(at, rank))
    .map(({ path, count }) => phraseOf(path, count) ?? plainly(path, count));
  const isPhrase = phraseOf(tools[0]?.path ?? "", tools[0]?.count ?? 0) !== undefined;
  const rest = tools.filter(({ rank }, at) => !isNamed(at, rank)).reduce((sum, { count }) => sum + count, 0);
  const all = [...named, ...(rest === 0 ? [] : [`${rest} more`])].join(", ");
  const place = placeOf(calls);
  const words = isPhrase ? `${all.slice(0, 1).toUpperCase()}${all.slice(1)}` : all;
  return `${words}${place === undefined ? "" : ` in ${place}`}`;
}

function rankOf({ preview: { effect } }: HeadedCall): number {
  if (effect === "destructive") return 0;
  return effect === "egress" ? 1 : HARMLESS;
}

/** `github.issues.close` says what it does to what; undefined for a path that is not made like that. */
export function phraseOf(path: string, count: number): string | undefined {
  const [verb = "", noun = ""] = path.split(".").reverse();
  if (!/^[a-z]*[^s]$/.test(verb) || !/^[a-z]+[^s]s$/.test(noun) || noun === `${verb}s`) return undefined;
  if (count > 1) return `${verb} ${count} ${noun}`;
  // With these endings it is not certain what a single one is called.
  return /(?:i|s|x|h|z)es$/.test(noun) ? undefined : `${verb} 1 ${noun.slice(0, -1)}`;
}

function plainly(path: string, count: number): string {
  return count === 1 ? path : `${path} × ${count}`;
}

/**
 * The path that values make which all calls share, if all titles name it: `acme/website`. Each of the values is a
 * plain name.
 */
function placeOf(calls: readonly HeadedCall[]): string | undefined {
  const [first, ...others] = calls.map(({ input }) => cardValues(input));
  const shared = (first ?? []).filter(({ path, text }) =>
    others.every((values) => values.some((value) => value.path === path && value.text === text)),
  );
  const names = shared.map(({ text }) => text).filter((text) => /^[\w.-]+(?:\/[\w.-]+)?$/.test(text));
  const paths = names.flatMap((name, at) => [name, [name, names[at + 1]].join("/")]);
  return paths.find(
    (path) =>
      /^[\w.-]+\/[\w.-]+$/.test(path) &&
      path.length <= MOST_PLACE_CHARS &&
      calls.every(({ preview }) => isNamedIn(preview.title, path)),
  );
}

function isNamedIn(title: string, path: string): boolean {
  return title.split(/[^\w./-]/).some((word) => `/${word}/`.includes(`/${path}/`));
}
