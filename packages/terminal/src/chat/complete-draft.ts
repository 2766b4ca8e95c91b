import { SLASH_HELP } from "./slash-command.ts";

/** What Tab makes of a draft: the draft to go on with, and what there is to choose from if that is several. */
export interface Completion {
  readonly draft: string;
  readonly choices: readonly string[];
}

export interface CompletionSources {
  /** The names of the user's own commands. */
  commands(signal: AbortSignal): Promise<readonly string[]>;
  /** Paths of files that fit, the best first. */
  files(query: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The models to choose from. */
  models(signal: AbortSignal): Promise<readonly string[]>;
}

const MOST_CHOICES = 20;

/**
 * Completes the command that the draft begins with, the model after `/model`, or the path after the `@` of its last
 * word. Undefined where there is nothing to complete. Rejects as its sources do.
 */
export async function completeDraft(
  draft: string,
  sources: CompletionSources,
  signal: AbortSignal,
): Promise<Completion | undefined> {
  const [, command] = /^\/(\S*)$/.exec(draft) ?? [];
  if (command !== undefined) {
    const built = SLASH_HELP.map(([usage]) => usage.slice(1).split(" ", 1)[0] ?? "");
    const all = [...built, ...(await sources.commands(signal))];
    return choose("/", command, beginningWith(all, command), " ");
  }
  const [, before, model] = /^(\/model\s+)(\S*)$/.exec(draft) ?? [];
  if (before !== undefined && model !== undefined)
    return choose(before, model, beginningWith([...(await sources.models(signal)), "default"], model), "");
  const [, start, query] = /^((?:[\s\S]*\s)?@)(\S*)$/.exec(draft) ?? [];
  if (start === undefined || query === undefined) return undefined;
  return choose(start, query, await sources.files(query, signal), " ");
}

function beginningWith(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  return [...new Set(names)].filter((name) => name.toLowerCase().startsWith(wanted));
}

function choose(
  before: string,
  typed: string,
  found: readonly string[],
  after: string,
): Completion | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length === 1) return { draft: `${before}${first}${after}`, choices: [] };
  const shared = sharedBeginning(found);
  // Files are found by letters in their paths: what all begin with may be something else than what was typed.
  const isFurther = shared.length > typed.length && shared.toLowerCase().startsWith(typed.toLowerCase());
  return { draft: `${before}${isFurther ? shared : typed}`, choices: found.slice(0, MOST_CHOICES) };
}

function sharedBeginning([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
