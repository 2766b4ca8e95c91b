import type { Argument } from "../words/argument.ts";
import { isKnown, known, textOf } from "../words/argument.ts";
import type { CommandContext, CommandRule } from "../command-spec.ts";

const PLAIN = new Set(
  "-true -false -empty -readable -writable -executable -print -print0 -ls -prune -quit -depth -mount -xdev -daystart -noleaf -nouser -nogroup".split(
    " ",
  ),
);
const JOINING = new Set("-not ! ( ) -a -and -o -or ,".split(" "));
const WITH_DATA = new Set(
  "-name -iname -path -wholename -ipath -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -lname -ilname -fstype -used -printf -newermt -newerat -newerct".split(
    " ",
  ),
);
const WITH_PATH = new Set("-newer -anewer -cnewer -samefile".split(" "));
const WRITES = new Set("-fprint -fprint0 -fls -fprintf".split(" "));

/** Roots, then an expression, every part of which must be known: one that runs, writes or deletes is judged or asks. */
export const find: CommandRule = (context, words) => {
  const begin = words.findIndex((word) => isKnown(word) && /^(?:-.|[!(),])/.test(word.text));
  const roots = words.slice(0, begin === -1 ? words.length : begin);
  const expression = words.slice(roots.length);
  for (const root of roots) {
    if (root.kind === "unknown" && root.start === "any")
      context.ask(`\`find\` is given a word that may be an option: ${root.why}`);
    context.path(root, "read tree");
  }
  if (roots.length === 0) context.path(known("."), "read tree");
  judgeExpression(context, expression);
};

function judgeExpression(context: CommandContext, expression: readonly Argument[]): void {
  const isOnlyAnd = !expression.some((word) => ["!", "-not", "-o", "-or", ","].includes(textOf(word) ?? ""));
  const isFiles =
    isOnlyAnd &&
    expression.some((word, index) => isKnown(word, "-type") && isKnown(expression[index + 1], "f"));
  for (let index = 0; index < expression.length; index++) {
    const name = textOf(expression[index]);
    if (name === undefined) return context.ask("part of `find`'s expression is not known before it runs");
    if (PLAIN.has(name) || JOINING.has(name)) continue;
    if (WITH_DATA.has(name) || WITH_PATH.has(name) || WRITES.has(name)) {
      index += name === "-fprintf" ? 2 : 1;
      const value = expression[name === "-fprintf" ? index - 1 : index];
      if (value === undefined || (value.kind === "unknown" && value.count === "many"))
        return context.ask(`\`find ${name}\` has no clear value`);
      if (WITH_PATH.has(name)) context.path(value, "read");
      if (WRITES.has(name)) context.path(value, "write");
      continue;
    }
    if (name !== "-exec") return context.ask(`\`find ${name}\` is not known to be harmless`);
    const end = expression.findIndex(
      (word, at) =>
        at > index && (isKnown(word, ";") || (isKnown(word, "+") && isKnown(expression[at - 1], "{}"))),
    );
    if (end === -1) return context.ask("`find -exec` has no end");
    const found: Argument = isFiles
      ? { kind: "found" }
      : { kind: "unknown", why: "whatever `find` finds, links included", count: "one", start: "operand" };
    context.start(expression.slice(index + 1, end).map((word) => fill(word, found)));
    index = end;
  }
}

function fill(word: Argument, found: Argument): Argument {
  const text = textOf(word);
  if (text === "{}") return found;
  if (text === undefined || !text.includes("{}")) return word;
  return { kind: "unknown", why: "a part that `find` fills in", count: "one", start: "any" };
}
