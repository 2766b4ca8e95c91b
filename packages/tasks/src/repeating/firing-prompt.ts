import type { EventData } from "@deputy/protocol";

/** The whole answer of a firing that has nothing to report to its user. */
export const NOTHING_TO_REPORT = "NOTHING_TO_REPORT";

/** The first message of a firing: the user's request, and what the agent must know about its situation. */
export function firingPrompt(
  { kind, prompt }: Pick<EventData<"task.created">, "kind" | "prompt">,
  dueAt: string,
): string {
  const when =
    kind === "event"
      ? "Something was reported, which is what the message before this one holds"
      : `It is due: ${dueAt}`;
  return [
    prompt,
    "",
    `[Deputy: this is a task that runs without anybody watching. ${when}. Your answer is sent to the user;`,
    `if there is nothing that they wanted to be told, answer ${NOTHING_TO_REPORT} and nothing else.`,
    kind === "recurring"
      ? "If what they asked for has come about and the task is over for good, call tools.tasks.finish.]"
      : kind === "event"
        ? "It runs again with the next report.]"
        : "It runs once.]",
  ].join("\n");
}

export function isSilent(answer: string): boolean {
  return answer.trim() === NOTHING_TO_REPORT;
}
