import { type Argument, isKnown, textOf } from "./words/argument.ts";
import type { CommandContext } from "./command-spec.ts";
import { joinPath, namesOf } from "./paths/resolve-path.ts";
import { always, type Outcome, type Scope, withVariable } from "./scope.ts";

/** What a builtin changes for the commands behind it; the others change nothing. */
export function judgeBuiltin(context: CommandContext, words: readonly Argument[]): Outcome {
  const { name, scope } = context;
  if (name === "cd") return changeDirectory(context, words);
  if (name === "read") return always(forget(scope, words, "REPLY"));
  if (name === "unset") return always(forget(scope, words));
  return always(scope);
}

function forget(scope: Scope, words: readonly Argument[], ...more: readonly string[]): Scope {
  const names = [...more, ...words.flatMap((word) => textOf(word) ?? [])].filter((text) =>
    /^[A-Za-z_]\w*$/.test(text),
  );
  return names.reduce((before, name) => withVariable(before, name, { kind: "unknown" }), scope);
}

/**
 * Only to a directory that is written out and reached without links, because `cd` takes `..` by name and everything
 * else by place.
 */
function changeDirectory(context: CommandContext, words: readonly Argument[]): Outcome {
  const rest = isKnown(words[0], "--") ? words.slice(1) : words;
  const [target, ...more] = rest;
  if (
    target?.kind !== "known" ||
    more.length > 0 ||
    target.text === "" ||
    (target.text.startsWith("-") && words === rest)
  ) {
    context.ask("it is not known where `cd` goes");
    return always(context.scope);
  }
  const ends = context.path(target, "read");
  const written = context.scope.directories.map((directory) => byName(joinPath(directory, target.text)));
  if (ends.length < written.length) return always(context.scope);
  if (ends.some(({ path }) => !written.includes(path))) {
    context.ask(`\`cd ${target.text}\` goes through a link`);
    return always(context.scope);
  }
  return {
    ok: { ...context.scope, directories: [...new Set(ends.map(({ path }) => path))] },
    failed: context.scope,
  };
}

function byName(path: string): string {
  const names: string[] = [];
  for (const name of namesOf(path)) {
    if (name === "..") names.pop();
    else names.push(name);
  }
  return `/${names.join("/")}`;
}
