import type { ReminderId } from "@deputy/kit";
import type { AuditFilterInput, AuditPage } from "@deputy/protocol";
import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { GatewayError } from "../../gateway-error.ts";
import type { RpcHandlers } from "../rpc-context.ts";

/** What makes agents act by themselves. All methods reject as the log does. */
export interface BackgroundDoor {
  list(): Promise<RpcResult<"background.list">>;
  /** Idempotent; durable once resolved. */
  pauseHeartbeat(isPaused: boolean, by: string): Promise<void>;
  /** False when there is no such reminder. */
  switchReminder(id: ReminderId, isEnabled: boolean): Promise<boolean>;
  removeReminder(id: ReminderId, by: string): Promise<boolean>;
  /** Its address and secret, which nobody can read again. Rejects with `usage` if the name is taken or none. */
  addHook(hook: RpcParams<"hooks.add">, by: string): Promise<RpcResult<"hooks.add">>;
  /** What was there before is refused from then on. Undefined when there is no such hook. */
  renewHook(name: string, by: string): Promise<RpcResult<"hooks.renew"> | undefined>;
  /** Further reports to it are refused; earlier ones stay in the log. False when there is no such hook. */
  removeHook(name: string, by: string): Promise<boolean>;
}

/** The log, to be looked at as a whole. All methods reject as the log does. */
export interface AuditDoor {
  /** The newest first; looks through a limited number of events. Rejects with `invalid_cursor`. */
  page(
    filter: AuditFilterInput & { readonly cursor?: string | undefined; readonly limit: number },
    signal: AbortSignal,
  ): Promise<AuditPage>;
  /** One verification at a time, which goes on by itself. */
  verify(start: boolean): RpcResult<"audit.verify">;
  /** One JSON line for each event, the oldest first. */
  lines(filter: AuditFilterInput): AsyncIterable<string>;
}

type ActivityNames =
  | "background.list"
  | "heartbeat.pause"
  | "heartbeat.resume"
  | "reminders.switch"
  | "reminders.remove"
  | "hooks.add"
  | "hooks.renew"
  | "hooks.remove"
  | "audit.list"
  | "audit.verify";

const PAGE_EVENTS = 50;

export function activityHandlers(deps: {
  readonly background?: BackgroundDoor | undefined;
  readonly audit?: AuditDoor | undefined;
}): RpcHandlers<ActivityNames> {
  const background = (): BackgroundDoor => needed(deps.background, "What runs by itself");
  const audit = (): AuditDoor => needed(deps.audit, "The log as a whole");
  const found = (isThere: boolean, what = "reminder"): { ok: true } => {
    if (!isThere) throw new GatewayError("not_found", `There is no such ${what}`);
    return { ok: true };
  };
  return {
    "background.list": () => background().list(),
    "heartbeat.pause": async (_params, { caller }) => {
      await background().pauseHeartbeat(true, caller.name);
      return { ok: true };
    },
    "heartbeat.resume": async (_params, { caller }) => {
      await background().pauseHeartbeat(false, caller.name);
      return { ok: true };
    },
    "reminders.switch": async ({ reminderId, isEnabled }) =>
      found(await background().switchReminder(reminderId, isEnabled)),
    "reminders.remove": async ({ reminderId }, { caller }) =>
      found(await background().removeReminder(reminderId, caller.name)),
    "hooks.add": async (hook, { caller }) => await background().addHook(hook, caller.name),
    "hooks.renew": async ({ name }, { caller }) => {
      const renewed = await background().renewHook(name, caller.name);
      if (renewed === undefined) throw new GatewayError("not_found", "There is no such hook");
      return renewed;
    },
    "hooks.remove": async ({ name }, { caller }) =>
      found(await background().removeHook(name, caller.name), "hook"),
    "audit.list": async ({ limit = PAGE_EVENTS, ...filter }, { signal }) =>
      await audit().page({ ...filter, limit }, signal),
    "audit.verify": async ({ start = false }) => audit().verify(start),
  };
}

function needed<T>(part: T | undefined, what: string): T {
  if (part !== undefined) return part;
  throw new GatewayError("not_available", `${what} cannot be looked at here`);
}
