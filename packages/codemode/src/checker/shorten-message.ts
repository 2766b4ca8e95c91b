import type { CompilerDiagnostic } from "./compiler-diagnostic.ts";
import { shortenType } from "./shorten-type.ts";

const MAX_REASON_TYPE_CHARS = 80;
/** In a chain of reasons the last one is the most useful, so the middle is left out. */
const MAX_REASONS = 3;
const MAX_LINE_CHARS = 400;

/** TypeScript's own message with shortened types, and the reasons under it, each indented further. */
export function shortenMessage(diagnostic: CompilerDiagnostic, maxTypeChars: number): string {
  const reasons = reasonsOf(diagnostic.messageChain ?? [], 1);
  const shown =
    reasons.length <= MAX_REASONS ? reasons : [...reasons.slice(0, MAX_REASONS - 1), ...reasons.slice(-1)];
  return [sentence(withoutAdvice(diagnostic.text), maxTypeChars), ...shown].join("\n");
}

/** What TypeScript proposes at the end of a message. */
export function proposalOf(text: string): string | undefined {
  return /Did you mean (?:to write )?'(.+)'\?$/.exec(text)?.[1];
}

function reasonsOf(chain: readonly CompilerDiagnostic[], depth: number): readonly string[] {
  return chain.flatMap((reason) => [
    `${"  ".repeat(Math.min(depth, MAX_REASONS))}${sentence(withoutAdvice(reason.text), MAX_REASON_TYPE_CHARS)}`,
    ...reasonsOf(reason.messageChain ?? [], depth + 1),
  ]);
}

/**
 * Suggestions are made elsewhere, from existing names; suggestions of a compiler option or a package do not
 * help here.
 */
function withoutAdvice(text: string): string {
  return text.replace(/ (?:Did you mean |Do you need to |Try changing |Try `npm).*$/s, "");
}

/** Shortens text in single quotes; strings inside a type are in double quotes. */
function sentence(text: string, maxTypeChars: number): string {
  const short = text.replaceAll(/'((?:"(?:\\.|[^"\\])*"|[^'"])*)'/g, (_, type: string) => {
    return `'${shortenType(type, maxTypeChars)}'`;
  });
  return short.length <= MAX_LINE_CHARS ? short : `${short.slice(0, MAX_LINE_CHARS - 1)}…`;
}
