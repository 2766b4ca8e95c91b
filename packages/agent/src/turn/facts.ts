import type { CanonicalEvent, EventData } from "@deputy/protocol";
import { wallStamp } from "@deputy/protocol/schedule";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { lastCompaction } from "../history/history.ts";
import { namesBy } from "../ingress/tool-author.ts";
import type { TurnLog } from "../keeper/turn-keeper.ts";
import type { AgentMode } from "./offer.ts";
import type { Turn } from "./turn.ts";

/** What Deputy knows about the user's surroundings. */
export interface Surroundings {
  /** The zone in which schedules are read. */
  readonly zone: string;
  readonly user?: EventData<"turn.facts">["user"] | undefined;
  /** The time by which tasks are due. */
  readonly now: () => number;
  /** What can start a task, by name. Absent: that is not known. */
  readonly reporters?: (() => Reporters) | undefined;
}

interface Reporters {
  readonly hooks: readonly string[];
  readonly mailboxes: readonly string[];
  readonly folders: readonly string[];
}

type Connected = NonNullable<EventData<"turn.facts">["connected"]>;

/** After this time the prompt's clock is wrong enough to be set again. */
const STALE_MS = 10 * 60_000;

/** Namespaces beyond this much are counted, not listed: a prompt must not grow with the tools. */
const NAMESPACES_CHARS = 450;

/**
 * Tools that most tasks need. Those that an agent has are named to it, so that it need not search for them. The prompt
 * itself names those of the memory.
 */
const MOST_USED = [
  "files.read",
  "files.write",
  "files.edit",
  "files.grep",
  "shell.run",
  "bash.run",
  "web.fetch",
  "browser.navigate",
  "cron.add",
  "tasks.createRecurring",
  "tasks.createEventTrigger",
] as const;

/**
 * States the time for each turn, and again when it has become wrong; and what is connected, where the prompt does not
 * say so yet. True: the prompt has more now.
 */
export function createTurnFacts(
  deps: {
    readonly log: Pick<TurnLog, "append">;
    readonly surroundings: Surroundings | undefined;
  },
  turn: Turn,
  agent: { readonly mode: AgentMode; readonly catalogue: Pick<Catalogue, "list" | "get"> },
): (events: readonly CanonicalEvent[]) => Promise<boolean> {
  const { stream, turnId } = turn;
  return async (events) => {
    if (deps.surroundings === undefined) return false;
    const { zone, user, reporters } = deps.surroundings;
    const now = deps.surroundings.now();
    const from = lastCompaction(events)?.throughSeq ?? 0;
    const stated = events.filter((event) => event.type === "turn.facts").filter(({ seq }) => seq > from);
    const last = stated.findLast((event) => event.turnId === turnId);
    const known = stated.findLast(({ data }) => data.connected !== undefined)?.data;
    // What is connected may have been said in what a summary has replaced.
    if (last !== undefined && known !== undefined && now - Date.parse(last.data.at) < STALE_MS) return false;
    const connected = { ...toolsOf(agent), ...copy(reporters?.() ?? NONE) };
    const isKnown = JSON.stringify(known?.connected) === JSON.stringify(connected);
    const data: EventData<"turn.facts"> = {
      at: wallText(now, zone),
      zone,
      ...(user === undefined || known !== undefined ? {} : { user }),
      ...(isKnown ? {} : { connected }),
    };
    await deps.log.append(stream, [{ type: "turn.facts", turnId, data }]);
    return true;
  };
}

function toolsOf({
  mode,
  catalogue,
}: Parameters<typeof createTurnFacts>[2]): Pick<Connected, "namespaces" | "more" | "paths" | "functions"> {
  if (mode === "functions") {
    // Each is described in the request.
    const canWait = catalogue.get("tasks.createEventTrigger") !== undefined;
    return { namespaces: [], more: 0, paths: [], functions: { count: catalogue.list().length, canWait } };
  }
  const found = new Map<string, { readonly count: number; readonly tool: CatalogueTool }>();
  for (const tool of catalogue.list()) {
    const namespace = tool.path.split(".", 1)[0] ?? tool.path;
    const { count = 0, tool: first = tool } = found.get(namespace) ?? {};
    // Of tools with several authors, a stranger's name counts.
    found.set(namespace, { count: count + 1, tool: first.describedBy === undefined ? tool : first });
  }
  const namespaces: Connected["namespaces"] = [];
  let used = 0;
  for (const [name, { count, tool }] of found) {
    used += name.length + String(count).length + 5;
    if (used > NAMESPACES_CHARS) break;
    const by = namesBy(tool);
    namespaces.push({ name, count, ...(by.kind === "other" ? { by: by.source } : {}) });
  }
  const paths = MOST_USED.filter((path) => catalogue.get(path) !== undefined);
  return { namespaces, more: found.size - namespaces.length, paths };
}

const NONE: Reporters = { hooks: [], mailboxes: [], folders: [] };

function copy({ hooks, mailboxes, folders }: Reporters): Pick<Connected, keyof Reporters> {
  return { hooks: [...hooks], mailboxes: [...mailboxes], folders: [...folders] };
}

/** What the clocks of the zone read, to the minute: `2026-11-17T14:05+01:00`. */
function wallText(ms: number, zone: string): string {
  const stamp = wallStamp(ms, zone);
  return `${stamp.slice(0, 16)}${stamp.slice(19)}`;
}
