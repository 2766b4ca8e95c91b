import type { Redirection } from "unbash";
import { isKnown } from "./words/argument.ts";
import type { WordEvaluator } from "./words/evaluate-word.ts";
import type { PathJudge } from "./paths/judge-path.ts";
import type { Judgement } from "./judgement.ts";
import type { Scope } from "./scope.ts";

/** Judges where a command's input comes from and its output goes. */
export function judgeRedirect(
  deps: { readonly judgement: Judgement; readonly words: WordEvaluator; readonly paths: PathJudge },
  redirect: Redirection,
  scope: Scope,
): void {
  const { judgement, words, paths } = deps;
  if (redirect.descriptor?.type === "FileDescriptorVariable")
    return judgement.ask("a redirection sets a variable");
  if (redirect.type === "HereDoc") {
    if (redirect.delimiter === undefined || redirect.closing === undefined)
      return judgement.ask("a here-document does not end");
    if (!redirect.delimiter.quoted) words.parts(redirect.body.parts ?? [], scope);
    return;
  }
  const { operator, target } = redirect;
  if (target === undefined) return judgement.ask("a redirection leads nowhere");
  if (redirect.type === "HereString") return void words.single(target, scope);
  const fields = words.fields(target, scope);
  const [where] = fields;
  if (where === undefined || fields.length > 1)
    return judgement.ask(`\`${operator} ${target.text}\` leads to more than one place`);
  if ((operator === ">&" || operator === "<&") && isKnown(where) && /^(?:\d+-?|-)$/.test(where.text)) return;
  paths.use(operator, where, operator === "<" || operator === "<&" ? "read" : "write", scope.directories);
}
