import type { SessionSummary } from "@deputy/agent/sessions";
import { makeVisible, type SessionId } from "@deputy/kit";
import { describeGrant, type StandingGrant } from "@deputy/protocol";
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
    ...commands,
  ].join("\n");
}

/** The text of `/sessions`; the current one is marked. */
export function showSessions(sessions: readonly SessionSummary[], current: SessionId): string {
  const lines = sessions.slice(0, MOST_SESSIONS).map(({ id, key, lastAt, turns, title }) => {
    const mark = id === current ? "*" : " ";
    return `${mark} ${key}  ${lastAt.slice(0, 10)}  ${turns} ${turns === 1 ? "turn" : "turns"}  ${title}\n    ${id}`;
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
