import { readUsage } from "@deputy/agent/readers";
import type { SessionReader } from "@deputy/agent/sessions";
import type { EventLog, Usage, ApprovalAnswer, ApprovalId } from "@deputy/protocol";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import type { FileDiff, Workspace } from "@deputy/workspace";
import { GatewayError } from "../../gateway-error.ts";
import type { MemoryDoor } from "../../routes/memory-routes.ts";
import type { RpcHandlers, RpcContext } from "../rpc-context.ts";
import type { ApprovalDesk, GrantsDesk } from "@deputy/agent";
import { refuseUnlessAnswered } from "../../routes/approvals-routes.ts";

/** Parts of the engine that a gateway may be without; what needs them then answers `not_available`. */
export interface EngineParts {
  /** All tools. Loaded on first use. */
  readonly catalogue?: () => Promise<Pick<Catalogue, "find" | "get" | "describe">>;
  /** The tools for a program that is a task. */
  readonly programTools?: () => Promise<Pick<Catalogue, "find" | "get" | "describe">>;
  /** What was written down and said before. */
  readonly memory?: MemoryDoor | undefined;
  /** The agents' copy of the files, as it is now. */
  readonly workspace?: () => Promise<Pick<Workspace, "status" | "diff" | "commit" | "revert" | "root">>;
  /** The current settings without secrets; undefined for an unknown name. */
  readonly readSetting?: (key: string | undefined) => unknown;
}

type EngineNames =
  | "tools.search"
  | "tools.describe"
  | "memory.search"
  | "memory.status"
  | "workspace.status"
  | "workspace.diff"
  | "workspace.commit"
  | "workspace.revert"
  | "usage.get"
  | "config.get";

const FOUND_TOOLS = 10;

export function engineHandlers(
  deps: EngineParts & { readonly log: EventLog; readonly sessions: Pick<SessionReader, "find"> },
): RpcHandlers<EngineNames> {
  const workspace = () => needed(deps.workspace, "A workspace")();
  const catalogue = () => needed(deps.catalogue, "A catalogue")();
  return {
    "tools.search": async ({ query, limit = FOUND_TOOLS }, { signal }) => ({
      tools: (await (await catalogue()).find(query, limit, signal)).map(shown),
    }),
    "tools.describe": async ({ paths }) => {
      const tools = await catalogue();
      const known = paths.flatMap((path) => tools.get(path) ?? []);
      return {
        declarations: tools.describe(paths),
        tools: known.map(described),
      };
    },
    "memory.search": async (request, { signal }) =>
      await needed(deps.memory, "Memory").search(request, signal),
    "memory.status": async (_params, { signal }) => await needed(deps.memory, "Memory").status(signal),
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
}): RpcHandlers<"exec.pending" | "exec.approve" | "exec.deny" | "exec.grants" | "exec.revoke"> {
  const answer = async (id: ApprovalId, given: ApprovalAnswer, { caller }: RpcContext) => {
    refuseUnlessAnswered(await deps.approvals.resolve(id, given, caller.name), given);
    return { ok: true } as const;
  };
  return {
    "exec.pending": async () => ({ approvals: [...(await deps.approvals.pending())] }),
    "exec.approve": ({ approvalId, ...more }, context) =>
      answer(approvalId, { decision: "approved", ...more }, context),
    "exec.deny": ({ approvalId, ...more }, context) =>
      answer(approvalId, { decision: "denied", ...more }, context),
    "exec.grants": async () => ({ grants: [...(await deps.grants.list())] }),
    "exec.revoke": async ({ grantId }, { caller }) => {
      const { kind } = await deps.grants.revoke(grantId, caller.name);
      if (kind === "unknown") throw new GatewayError("not_found", "There is no such grant");
      return { ok: true };
    },
  };
}
