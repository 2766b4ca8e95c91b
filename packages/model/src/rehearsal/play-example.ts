import type { ModelMessage } from "../model.ts";
import { playCloseIssues } from "./close-issues-play.ts";
import { parseCloseIssues } from "./close-issues-request.ts";
import { playJudgeMail } from "./judge-mail-play.ts";
import { parseLater } from "./later-request.ts";
import { playMeasure } from "./measure-play.ts";
import { playNewTask } from "./new-task-play.ts";
import type { RehearsalAnswer } from "./rehearsal-answer.ts";

/** The next step of the example that these words ask for; undefined if they ask for none. */
export function playExample(
  said: string,
  before: string,
  since: readonly ModelMessage[],
): RehearsalAnswer | undefined {
  const example = parseCloseIssues(said);
  if (example !== undefined) return playCloseIssues(example, since);
  const later = parseLater(said);
  if (later === undefined) return undefined;
  if (later.kind === "set") return playNewTask(later, since);
  if (later.kind === "judge") return playJudgeMail(later.run, before, since);
  return playMeasure(later.request, later.run, since);
}
