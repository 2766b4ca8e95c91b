import type * as unbash from "unbash";
import type { Source } from "./parse-script.ts";
import type { Redirect } from "./script.ts";
import type { Word } from "./word.ts";
import { constantWord, parseWord } from "./word-parser.ts";

export function compileRedirect(node: unbash.Redirection, source: Source): Redirect {
  const descriptor =
    node.descriptor === undefined
      ? undefined
      : node.descriptor.type === "FileDescriptor"
        ? node.descriptor.value
        : node.descriptor.name;
  const line = source.lineOf(node.pos);
  if (node.type === "HereDoc") {
    return {
      operator: "<<",
      descriptor,
      target: documentOf(node, source),
      delimiter: `${node.operator}${node.delimiter?.text ?? ""}`,
      line,
    };
  }
  const text = node.target?.text ?? "";
  const target = parseWord(text, "word", source.context(node.pos));
  return { operator: node.operator, descriptor, target, delimiter: undefined, line };
}

function documentOf(node: unbash.HereDoc, source: Source): Word {
  const raw = source.text.slice(node.body.pos, node.body.end);
  const text = node.operator === "<<-" ? raw.replaceAll(/^\t+/gm, "") : raw;
  if (node.delimiter?.quoted === true) return constantWord(text);
  return parseWord(text, "document", source.context(node.body.pos));
}
