import type { SessionSummary } from "@deputy/agent/sessions";
import { makeVisible, type SessionId } from "@deputy/kit";
import type { PendingApproval, StandingGrant, Task } from "@deputy/protocol";
import { describeGrant } from "@deputy/protocol/grants";
import { localDay, momentWords } from "@deputy/protocol/schedule";
import type { SlashCommandHead } from "@deputy/tools";
import { SLASH_HELP } from "./slash-command.ts";
import { formatSpend, type Spend } from "./spend-meter.ts";

const MOST_SESSIONS = 15;

/** The text of `/help`; the user's own commands come last. */
export function showHelp(own: readonly SlashCommandHead[]): string {
  const line = (name: string, does: string): string => `  ${name.padEnd(14)}${does}`;
  const commands = [
    ...SLASH_HELP.map(([name, does]) => line(name, does)),
    ...own.map(({ name, argumentHint, description }) =>
      makeVisible(line(`/${name}${argumentHint === "" ? "" : ` ${argumentHint}`} `, description)),
    ),
  ];
  return [
    "Say what you want; a ```ts block runs as a program.",
    "Deputy also reads what you say while it works. Ctrl-C stops the turn; twice leaves.",
    "Ctrl-J, or \\ and Enter, begins a new line; up and down bring back what you said, Ctrl-R searches it.",
    "Tab completes a command, and the path of a file after @.",
    ...commands,
  ].join("\n");
}

/** The text of `/sessions`; the current one is marked. */
export function showSessions(sessions: readonly SessionSummary[], current: SessionId): string {
  const lines = sessions.slice(0, MOST_SESSIONS).map(({ id, key, lastAt, turns, title }) => {
    const mark = id === current ? "*" : " ";
    return `${mark} ${key}  ${localDay(lastAt)}  ${turns} ${turns === 1 ? "turn" : "turns"}  ${title}\n    ${id}`;
  });
  return makeVisible([...lines, "/switch and a name, key or id continues one."].join("\n"));
}

/** The text of `/grants`. */
export function showGrants(grants: readonly StandingGrant[]): string {
  if (grants.length === 0) return "You have allowed nothing in this conversation beyond single calls.";
  const lines = grants.flatMap((grant, at) => {
    const { title, scope, lines: said, isAnyValues } = describeGrant(grant);
    return [
      `${isAnyValues ? "!" : " "} ${at + 1}. ${title}: ${scope}`,
      ...said.map((line) => `     │ ${line}`),
    ];
  });
  return [...lines, "/revoke and a number takes one back."].join("\n");
}

/** The text of `/usage`. */
export function showSpend(spend: Spend): string {
  const { modelCalls } = spend;
  return `This session: ${modelCalls} model ${modelCalls === 1 ? "call" : "calls"}, ${formatSpend(spend)}.`;
}

/** The text of `/model`. */
export function showModels(current: string, choices: readonly string[]): string {
  const lines = choices.map((name) => `${name === current ? "*" : " "} ${name}`);
  return makeVisible(
    [`The model of this conversation is ${current}.`, ...lines, "/model and a name chooses one."].join("\n"),
  );
}

const MOST_TASKS = 15;
const TITLE_CHARS = 70;

/** The text of `/tasks`: those that have not ended, then the last that have. */
export function showTasks(tasks: readonly Task[]): string {
  if (tasks.length === 0) return "There are no tasks. Ask for one, or see `deputy tasks add --help`.";
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const open = tasks.filter(({ status }) => !ENDED.has(status));
  const shown = [...open, ...tasks.filter(({ status }) => ENDED.has(status))].slice(0, MOST_TASKS);
  const lines = shown.map(({ id, status, prompt, nextAt }) => {
    const next = nextAt === undefined ? "" : `, next ${momentWords(Date.parse(nextAt), timeZone)}`;
    return `  ${id.slice(-6)}  ${status}${next}  ${firstLine(prompt)}`;
  });
  const rest = tasks.length - shown.length;
  return makeVisible([...lines, ...(rest > 0 ? [`${rest} more: \`deputy tasks list\`.`] : [])].join("\n"));
}

const ENDED: ReadonlySet<Task["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/** The text of `/approvals`; a question of this conversation is answered here, another one by its id. */
export function showWaiting(waiting: readonly PendingApproval[], current: SessionId): string {
  if (waiting.length === 0) return "No question waits for an answer.";
  const lines = waiting.map(({ id, stream, toolPath, preview }) => {
    const where = stream === current ? "here" : stream;
    return `  ${firstLine(preview.title)} (${toolPath}), ${where}\n    deputy approvals approve ${id}`;
  });
  return makeVisible(lines.join("\n"));
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS)}…` : line;
}
