const WORDS: Readonly<Record<string, string>> = {
  once: "this call",
  plan: "this plan",
  session: "this tool for this conversation",
  "session-any": "this tool for this conversation, whatever the values",
  task: "for this task",
};

const SAME: Readonly<Record<string, string>> = {
  session: "the very same for this conversation",
  task: "the very same for this task",
};

/**
 * How far an approval reaches. The words are those of `scopeWords` of the protocol, which would bring the schemas with
 * it. `sameOnly`: other calls of the tool ask again. `tools`: how many it is about.
 */
export function wordsOfScope(scope: string, sameOnly = false, tools = 1): string {
  const words = (sameOnly ? SAME[scope] : undefined) ?? WORDS[scope] ?? scope;
  return tools > 1 ? words.replace(/^this tool\b/, "these tools") : words;
}

/** What approving means besides these calls, as a sentence that “Approve” begins. */
export function sentenceOfScope(
  scope: string,
  {
    tools,
    sameOnly = false,
    days,
  }: { tools: readonly string[]; sameOnly?: boolean | undefined; days: number },
): string {
  const what = sameOnly && scope !== "session-any" ? "exactly this" : tools.join(", ");
  switch (scope) {
    case "once":
      return "this time only";
    case "plan":
      return "these calls only";
    case "session":
      return `and don’t ask again for ${what} in this conversation`;
    case "session-any":
      return `and don’t ask again, whatever the values, for ${what} in this conversation`;
    case "task":
      return `and don’t ask again for ${what} in this task, for ${days} days`;
    default:
      return scope;
  }
}

/** “1 call”, “3 calls”. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

/** “gpt-6” of “openai/gpt-6”. */
export function nameOfModel(ref: string): string {
  if (ref === "rehearsal/tour") return "Rehearsal";
  return ref.slice(ref.indexOf("/") + 1);
}

/** An error as people read it. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
