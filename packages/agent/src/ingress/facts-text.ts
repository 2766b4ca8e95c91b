import type { EventData } from "@deputy/protocol";
import { joinText, ours, plainText, type Text, textBy } from "./labelled-text.ts";

type Facts = EventData<"turn.facts">;
type Connected = NonNullable<Facts["connected"]>;

/** The time of the user and what is connected, as the model is told. */
export function factsText({ at, zone, user = {}, connected }: Facts): Text {
  const { name, language } = user;
  return joinText(
    [
      ours`${FIRST_WORDS}${own(inWords(at))} (${own(zone)}).`,
      ...(name === undefined ? [] : [ours`The user's name is ${configured(name)}.`]),
      ...(language === undefined ? [] : [ours`Their language: ${configured(language)}.`]),
      ...(connected === undefined ? [] : describeConnected(connected)),
    ],
    ours`\n`,
  );
}

/** True for what `factsText` made. */
export function isFacts([first]: Text): boolean {
  return first?.by.kind === "deputy" && first.text === plainText(FIRST_WORDS);
}

const FIRST_WORDS = ours`Deputy says: it is `;

function describeConnected(connected: Connected): Text[] {
  const { namespaces, more, paths, hooks, mailboxes, folders, functions } = connected;
  const counted = namespaces.map(
    ({ name, count, by }) =>
      ours`${textBy(by === undefined ? { kind: "tools" } : { kind: "other", source: by, weight: "names" }, name)} (${count})`,
  );
  const rest = more === 0 ? [] : ours` and ${more} more`;
  const listed = (what: Text, names: readonly string[]): Text[] =>
    names.length === 0 ? [] : [ours`${what}: ${joinText(names.map(own), ours`, `)}.`];
  const none = functions === undefined || functions.count === 0 ? [ours`No tools are connected.`] : [];
  const canWait = functions?.canWait ?? paths.includes("tasks.createEventTrigger");
  return [
    ...(namespaces.length === 0 ? none : [ours`Tools by namespace: ${joinText(counted, ours`, `)}${rest}.`]),
    ...(paths.length === 0 ? [] : [ours`Most used: ${joinText(paths.map(withPurpose), ours`, `)}.`]),
    ...listed(ours`Hooks that are set up`, hooks),
    ...listed(ours`Mailboxes`, mailboxes),
    ...listed(ours`Watched folders`, folders),
    ...(hooks.length + mailboxes.length + folders.length === 0 && canWait
      ? [ours`No hook, mailbox or folder is set up: no task can wait for a report yet.`]
      : []),
  ];
}

/** What those of Deputy's own tools are for whose names could be taken for something else. */
const PURPOSES: ReadonlyMap<string, Text> = new Map([
  ["shell.run", ours` (scripts over the workspace)`],
  ["bash.run", ours` (node, compilers, tests)`],
  ["cron.add", ours` (reminders)`],
  ["tasks.createRecurring", ours` (work on a schedule)`],
  ["tasks.createEventTrigger", ours` (work when something is reported)`],
]);

function withPurpose(path: string): Text {
  return ours`${own(path)}${PURPOSES.get(path) ?? []}`;
}

/** Text that explains no value. */
function own(text: string): Text {
  return textBy({ kind: "tools" }, text);
}

function configured(text: string): Text {
  return textBy({ kind: "configuration" }, text);
}

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** `2026-11-17T14:05+01:00` as `Tuesday, 2026-11-17, 14:05, UTC+01:00`. */
function inWords(at: string): string {
  const [day = "", time = ""] = at.split("T");
  const weekday = DAYS[new Date(`${day}T00:00Z`).getUTCDay()] ?? "";
  return `${weekday}, ${day}, ${time.slice(0, 5)}, UTC${time.slice(5)}`;
}
