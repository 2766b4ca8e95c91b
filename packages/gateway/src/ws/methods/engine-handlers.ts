import { readUsage } from "@deputy/agent/readers";
import type { SessionReader } from "@deputy/agent/sessions";
import { type ApprovalAnswer, type ApprovalId, type EventLog, readEvent, type Usage } from "@deputy/protocol";
import type { Clock } from "@deputy/kit";
import type { Catalogue, CatalogueTool, SlashCommands } from "@deputy/tools";
import { type FileDiff, type Workspace, WorkspaceError } from "@deputy/workspace";
import { GatewayError } from "../../gateway-error.ts";
import type { MemoryDoor } from "../../routes/memory-routes.ts";
import type { AuditDoor, BackgroundDoor } from "./activity-handlers.ts";
import type { RpcHandlers } from "../rpc-context.ts";
import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import type { ApprovalDesk, GrantsDesk } from "@deputy/agent";
import { sha256Hex } from "../../hooks/same-secret.ts";
import { refuseUnlessAnswered } from "../../routes/approvals-routes.ts";
import { tableUsage } from "./table-usage.ts";

/** Parts of the engine that a gateway may be without; what needs them then answers `not_available`. */
export interface EngineParts {
  /** All tools. Loaded on first use. */
  readonly catalogue?: () => Promise<Pick<Catalogue, "find" | "get" | "list" | "describe">>;
  /** The tools for a program that is a task. */
  readonly programTools?: () => Promise<Pick<Catalogue, "find" | "get" | "list" | "describe">>;
  /** What was written down and said before. */
  readonly memory?: MemoryDoor | undefined;
  /** The agents' copy of the files, as it is now. */
  readonly workspace?: () => Promise<
    Pick<
      Workspace,
      | "status"
      | "diff"
      | "commit"
      | "revert"
      | "root"
      | "import"
      | "list"
      | "walk"
      | "stat"
      | "read"
      | "sides"
      | "resolve"
      | "snapshots"
      | "undo"
    >
  >;
  /** Notes that somebody else has changed the workspace's files. */
  readonly noteApplied?: (changed: RpcParams<"workspace.applied">, signal: AbortSignal) => Promise<void>;
  /** Asks somebody else's server, as the settings allow. */
  readonly fetch?: (request: RpcParams<"net.fetch">, signal: AbortSignal) => Promise<RpcResult<"net.fetch">>;
  /** The user's own commands. */
  readonly slashCommands?: SlashCommands | undefined;
  /** Hooks, mailboxes, reminders and the heartbeat. */
  readonly background?: BackgroundDoor | undefined;
  /** The log, to be looked at as a whole. */
  readonly audit?: AuditDoor | undefined;
  /** The demo's own time. */
  readonly demo?:
    | { readonly clock: Pick<Clock, "now">; readonly speed: number; setSpeed(speed: number): void }
    | undefined;
  /** The current settings without secrets; undefined for an unknown name. */
  readonly readSetting?: (key: string | undefined) => unknown;
}

type EngineNames =
  | "tools.search"
  | "tools.describe"
  | "memory.search"
  | "memory.status"
  | "memory.index"
  | "memory.list"
  | "memory.show"
  | "memory.edit"
  | "memory.recalled"
  | "memory.changes"
  | "memory.undo"
  | "memory.forget"
  | "workspace.status"
  | "workspace.diff"
  | "workspace.commit"
  | "workspace.revert"
  | "workspace.snapshots"
  | "workspace.undo"
  | "workspace.import"
  | "workspace.progress"
  | "workspace.history"
  | "workspace.tree"
  | "workspace.sides"
  | "workspace.resolve"
  | "workspace.applied"
  | "net.fetch"
  | "usage.table"
  | "demo.speed"
  | "usage.get"
  | "config.get";

const FOUND_TOOLS = 10;
const MOST_COMMITS = 50;
/** What changes notes goes on when its client leaves. */
const WHOLE = new AbortController().signal;

export function engineHandlers(
  deps: EngineParts & {
    readonly log: EventLog;
    readonly clock: Clock;
    readonly sessions: Pick<SessionReader, "find">;
  },
): RpcHandlers<EngineNames> {
  let slowing = new AbortController();
  const memory = () => needed(deps.memory, "Memory");
  const workspace = () => needed(deps.workspace, "A workspace")();
  const catalogue = () => needed(deps.catalogue, "A catalogue")();
  let importing: { done: number; total: number } | null = null;
  return {
    "tools.search": async ({ query, limit = FOUND_TOOLS }, { signal }) => {
      const found = await (await catalogue()).find(query, limit, signal);
      return { ...found, tools: found.tools.map(shown) };
    },
    "tools.describe": async ({ paths }) => {
      const tools = await catalogue();
      const known = paths.flatMap((path) => tools.get(path) ?? []);
      return {
        declarations: tools.describe(paths),
        tools: known.map(described),
      };
    },
    "memory.search": async (request, { signal }) => await memory().search(request, signal),
    "memory.status": async (_params, { signal }) => await memory().status(signal),
    "memory.index": async (_params, { signal }) => await memory().index(signal),
    "memory.list": async (request, { signal }) => await memory().list(request, signal),
    "memory.show": async (request, { signal }) => await memory().show(request, signal),
    "memory.recalled": async (request, { signal }) => await memory().recalled(request, signal),
    "memory.changes": async (request) => await memory().changes(request),
    "memory.edit": async (request, { caller }) => await memory().edit(request, caller.name, WHOLE),
    "memory.undo": async (request, { caller }) => await memory().undo(request, caller.name, WHOLE),
    "memory.forget": async (request, { caller }) => await memory().forget(request, caller.name, WHOLE),
    "workspace.status": async (_params, { signal }) => {
      const copy = await workspace();
      const { id: changeSet, changes, skipped } = await copy.status(signal);
      const folder = (await copy.root(signal)) ?? null;
      const told = changes.map(({ kind, path }) => ({ kind, path }));
      return { changeSet, folder, changes: told, skipped: [...skipped] };
    },
    "workspace.diff": async ({ paths }, { signal }) => {
      const { id: changeSet, diffs, skipped } = await (await workspace()).diff(paths ?? "all", signal);
      const told = diffs.map(shownDiff);
      return { changeSet, diffs: told, skipped: [...skipped] };
    },
    "workspace.commit": async ({ changeSet, paths }, { signal }) => {
      const outcome = await (await workspace()).commit({ changeSet, paths: paths ?? "all" }, signal);
      if (outcome.kind === "conflicts")
        return { outcome: "conflicts", files: [], conflicts: [...outcome.conflicts] };
      return { outcome: "committed", files: [...outcome.files], conflicts: [] };
    },
    "workspace.revert": async ({ paths }, { signal }) => ({
      paths: [...(await (await workspace()).revert(paths ?? "all", signal))],
    }),
    "workspace.snapshots": async (_params, { signal }) => {
      const found = await (await workspace()).snapshots(signal);
      const told = found.map(({ id, name, atMs, files }) => ({
        id,
        name,
        at: new Date(atMs).toISOString(),
        files: files.map(({ path, kind }) => ({ path, kind })),
      }));
      return { snapshots: told };
    },
    "workspace.undo": async ({ snapshot = "last" }, { signal }) => {
      const { files } = await (await workspace()).undo(snapshot, signal);
      return { files: files.map(({ path, kind }) => ({ path, kind })) };
    },
    "workspace.import": async ({ folder, exclude, discard = false }, { signal }) => {
      const uncommitted = discard ? ("discard" as const) : ("keep" as const);
      const onProgress = (done: number, total: number): void => void (importing = { done, total });
      try {
        const order = { root: folder, exclude, uncommitted, onProgress };
        const report = await (await workspace()).import(order, signal);
        const { root, files, bytes } = report;
        return {
          folder: root,
          files,
          bytes,
          exclude: [...report.exclude],
          leftOut: [...report.leftOut],
          skipped: [...report.skipped],
        };
      } finally {
        importing = null;
      }
    },
    "workspace.progress": async () => ({ importing }),
    "workspace.history": async () => {
      const commits = [];
      for await (const stored of deps.log.read("system")) {
        const read = stored.type === "workspace.committed" ? readEvent(stored) : undefined;
        if (read?.kind !== "known" || read.event.type !== "workspace.committed") continue;
        const { added, modified, deleted, by, files } = read.event.data;
        commits.push({
          at: read.event.at,
          added,
          modified,
          deleted,
          ...(by !== undefined && { by }),
          ...(files !== undefined && { files }),
        });
      }
      return { commits: commits.reverse().slice(0, MOST_COMMITS) };
    },
    "workspace.tree": async ({ path }, { signal }) => ({
      entries: (await (await workspace()).list(path, signal)).map(({ name, kind }) => ({ name, kind })),
    }),
    "workspace.sides": async ({ path }, { signal }) => {
      const sides = await (await workspace()).sides(path, signal);
      const { base, ours, theirs } = sides;
      const state = stateOf(sides);
      return { ...textOf("base", base), ...textOf("ours", ours), ...textOf("theirs", theirs), state };
    },
    "workspace.resolve": async ({ path, take, text, state }, { signal }) => {
      const copy = await workspace();
      const sides = await copy.sides(path, signal);
      if (state !== undefined && state !== stateOf(sides))
        throw new WorkspaceError("stale_change_set", "The file is no longer as it was shown", {
          hint: "Look at it again, then decide.",
        });
      if (take === "text" && text === undefined)
        throw new GatewayError("invalid_request", "The text is missing");
      const content = take === "text" ? (text ?? null) : (sides[take] ?? null);
      await copy.resolve(path, content, signal);
      return { ok: true };
    },
    "workspace.applied": async (changed, { signal }) => {
      await needed(deps.noteApplied, "A workspace")(changed, signal);
      return { ok: true };
    },
    "net.fetch": async (request, { signal }) => await needed(deps.fetch, "The network")(request, signal),
    "usage.table": async ({ since, zone }) =>
      await tableUsage(deps.log, { sinceMs: since === undefined ? -Infinity : Date.parse(since), zone }),
    "demo.speed": async ({ speed, forMs }) => {
      const demo = needed(deps.demo, "The demo");
      if (speed !== undefined) {
        demo.setSpeed(speed);
        slowing.abort();
        slowing = new AbortController();
        // Whoever asked for a fast minute may be gone when it ends.
        if (forMs !== undefined)
          deps.clock.sleep(forMs, slowing.signal).then(
            () => demo.setSpeed(1),
            () => undefined,
          );
      }
      return { speed: demo.speed, now: new Date(demo.clock.now()).toISOString() };
    },
    "usage.get": async ({ sessionKey, since }) => {
      const session = sessionKey === undefined ? undefined : await deps.sessions.find(sessionKey);
      if (sessionKey !== undefined && session === undefined)
        throw new GatewayError("not_found", "There is no such session");
      return await sumUsage(deps.log, { session: session?.id, sinceMs: since && Date.parse(since) });
    },
    "config.get": async ({ key }) => {
      const value = needed(deps.readSetting, "The configuration")(key);
      if (value === undefined)
        throw new GatewayError("not_found", "There is no such setting, or it is not set");
      return { value };
    },
  };
}

function needed<T>(part: T | undefined, what: string): T {
  if (part !== undefined) return part;
  throw new GatewayError("not_available", `${what} is not available here yet`);
}

function shown({ path, description, effect, approval }: CatalogueTool) {
  return { path, description, effect, approval };
}

/** With what a form can be made of. */
function described(tool: CatalogueTool) {
  const { inputSchema } = tool;
  return { ...shown(tool), inputSchema: typeof inputSchema === "object" ? { ...inputSchema } : {} };
}

function shownDiff({ kind, path, text, addedLines, removedLines, notes }: FileDiff) {
  const told = { kind, path, addedLines, removedLines, notes: [...notes] };
  return text === undefined ? told : { ...told, text };
}

/** Longer ones are not shown side by side. */
const MOST_TEXT_BYTES = 200_000;

/** What somebody decides about: both sides of a file. */
function stateOf({ ours, theirs }: Awaited<ReturnType<Workspace["sides"]>>): string {
  const hashes = [ours, theirs].map((bytes) => (bytes === undefined ? null : sha256Hex(Buffer.from(bytes))));
  return sha256Hex(JSON.stringify(hashes));
}

function textOf<Name extends string>(
  name: Name,
  bytes: Uint8Array | undefined,
): { [K in Name]?: string | null } {
  if (bytes === undefined) return { [name]: null } as { [K in Name]?: null };
  if (bytes.length > MOST_TEXT_BYTES) return {};
  try {
    return { [name]: new TextDecoder("utf-8", { fatal: true }).decode(bytes) } as { [K in Name]?: string };
  } catch {
    return {};
  }
}

async function sumUsage(
  log: EventLog,
  wanted: { readonly session: string | undefined; readonly sinceMs: number | "" | undefined },
) {
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: 0,
    outputTokens: 0,
    modelCalls: 0,
  };
  let turns = 0;
  let amount = 0;
  for await (const turn of readUsage(log)) {
    if (wanted.session !== undefined && turn.session !== wanted.session) continue;
    if (typeof wanted.sinceMs === "number" && Date.parse(turn.at) < wanted.sinceMs) continue;
    turns += 1;
    amount += turn.cost?.amount ?? 0;
    for (const [part, count] of Object.entries(turn.usage) as [keyof Usage, number][])
      usage[part] = (usage[part] ?? 0) + count;
  }
  return { turns, usage, ...(amount > 0 && { cost: { amount, currency: "USD" } }) };
}

export function execHandlers(deps: {
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
}): RpcHandlers<
  "exec.pending" | "exec.answer" | "exec.approve" | "exec.deny" | "exec.grants" | "exec.revoke"
> {
  const answer = async (id: ApprovalId, given: ApprovalAnswer, by: string) => {
    refuseUnlessAnswered(await deps.approvals.resolve(id, given, by), given);
    return { ok: true } as const;
  };
  return {
    "exec.pending": async () => ({ approvals: [...(await deps.approvals.pending())] }),
    "exec.answer": async ({ approvalId }) => {
      const answered = await deps.approvals.answered(approvalId);
      if (answered === undefined) return {};
      const { decision, by, reason, isExpired, calls } = answered;
      return {
        answer: { decision, by, reason, isExpired, ...(calls !== undefined && { calls: [...calls] }) },
      };
    },
    "exec.approve": ({ approvalId, by, ...more }, { caller }) =>
      answer(approvalId, { decision: "approved", ...more }, by ?? caller.name),
    "exec.deny": ({ approvalId, by, ...more }, { caller }) =>
      answer(approvalId, { decision: "denied", ...more }, by ?? caller.name),
    "exec.grants": async () => ({ grants: [...(await deps.grants.list())] }),
    "exec.revoke": async ({ grantId }, { caller }) => {
      const { kind } = await deps.grants.revoke(grantId, caller.name);
      if (kind === "unknown") throw new GatewayError("not_found", "There is no such grant");
      return { ok: true };
    },
  };
}
