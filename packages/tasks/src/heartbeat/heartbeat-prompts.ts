import { HEARTBEAT_OK } from "./heartbeat-answer.ts";
import type { HeartbeatFile } from "./heartbeat-file.ts";
import type { SystemEvent } from "./system-event.ts";

/** A prompt, and where in it the user's own words are. */
export interface HeartbeatPrompt {
  readonly text: string;
  readonly said?: { readonly start: number; readonly end: number };
}

const ANSWER = `If there is something that the user should know now, answer with that alone, in a few sentences: your answer is sent to them as it is. Do not repeat what you have told them before. If there is nothing to tell, answer ${HEARTBEAT_OK} and nothing else.`;
const NOBODY = "[Deputy's heartbeat; no person has written this.]";

/** The prompt for a look at HEARTBEAT.md. `changed`: the checks that have news. */
export function standardPrompt(
  file: HeartbeatFile,
  { changed, at }: { readonly changed: readonly string[]; readonly at: string },
): HeartbeatPrompt {
  const news = changed.length === 0 ? [] : [`Since the last time: ${changed.join("; ")}.`];
  const head = `${NOBODY} It is ${at}. The user wants you to look after this, from HEARTBEAT.md:\n\n`;
  const rest = [...news, `Use your tools to check it. ${ANSWER}`].join("\n\n");
  const said = { start: head.length, end: head.length + file.text.length };
  return { text: `${head}${file.text}\n\n${rest}`, said };
}

/** The prompt for background commands that have ended. `noted`: texts that stand above it already. */
export function execPrompt(
  events: readonly SystemEvent[],
  dropped: number,
  noted: ReadonlySet<string>,
): string {
  const untold = events.filter(({ text }) => !noted.has(text));
  const above = untold.length < events.length ? ", as noted above" : "";
  const isAllAbove = untold.length === 0 && dropped === 0;
  return [
    `${NOBODY} What you had started in the background has come to an end${above}${isAllAbove ? "." : ":"}`,
    ...(isAllAbove ? [] : [listOf(untold, dropped)]),
    `Look at its output if you need to. Tell the user what came of it. ${ANSWER}`,
  ].join("\n\n");
}

/** The prompt for reminders that are due. A model wrote their text, or the user dictated it to one. */
export function cronPrompt(events: readonly SystemEvent[], dropped: number): string {
  return [
    `${NOBODY} Reminders that were set are due:`,
    listOf(events, dropped),
    `Do what they are for, with your tools where it takes any; what is only to be told, tell. ${ANSWER}`,
  ].join("\n\n");
}

function listOf(events: readonly SystemEvent[], dropped: number): string {
  const older = dropped === 0 ? [] : [`- (${dropped} older ones were dropped.)`];
  return [...older, ...events.map(({ text }) => `- ${text}`)].join("\n");
}
