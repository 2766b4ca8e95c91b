import { type AuditEntry, projectAudit, type StoredEvent } from "@deputy/protocol";

export interface AuditFilter {
  /** Milliseconds since the epoch. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** A type, or its first part: `call.settled`, `call`. */
  readonly type?: string;
  /** A tool path, or the beginning of one: `github.issues`. */
  readonly tool?: string;
}

/** Calls and plans whose tools are remembered, for those of their events that do not name them. */
const MAX_OPEN_CALLS = 10_000;

/** Undefined for an event that was not asked for. To be fed in order, since later events of a call do not name its tool. */
export function createAuditFilter(filter: AuditFilter): (event: StoredEvent) => AuditEntry | undefined {
  const open = new Map<string, readonly string[]>();

  const toolsOf = (event: StoredEvent, { toolPath }: AuditEntry): readonly string[] => {
    const named = plannedTools(event.data) ?? (toolPath === undefined ? undefined : [toolPath]);
    const id = idOf(event.data);
    if (id === undefined) return named ?? [];
    const tools = open.get(id) ?? named ?? [];
    if (event.type === "call.settled") open.delete(id);
    else open.set(id, tools);
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN_CALLS && oldest !== undefined) open.delete(oldest);
    return tools;
  };

  return (event) => {
    const entry = projectAudit(event);
    const tools = toolsOf(event, entry);
    const atMs = Date.parse(event.at);
    if (atMs < (filter.sinceMs ?? -Infinity) || atMs >= (filter.untilMs ?? Infinity)) return undefined;
    if (filter.type !== undefined && !isWithin(event.type, filter.type)) return undefined;
    const { tool } = filter;
    if (tool !== undefined && !tools.some((one) => isWithin(one, tool))) return undefined;
    return tools.length === 0 ? entry : { ...entry, toolPath: tools.join(", ") };
  };
}

/** The tools of a plan, where the event lists its calls; undefined where it lists none. */
function plannedTools(data: unknown): readonly string[] | undefined {
  const calls = field(data, "calls") ?? field(field(data, "input"), "calls");
  if (!Array.isArray(calls)) return undefined;
  const tools = calls.map((call) => field(call, "toolPath")).filter((path) => typeof path === "string");
  return tools.length === 0 ? undefined : [...new Set(tools)];
}

function idOf(data: unknown): string | undefined {
  const id = field(data, "callId") ?? field(data, "approvalId") ?? field(data, "planId");
  return typeof id === "string" ? id : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Whether a dotted name is the one wanted, or lies under it. */
function isWithin(name: string, wanted: string): boolean {
  const parent = wanted.replace(/\.\*$/, "");
  return name === parent || name.startsWith(`${parent}.`);
}
