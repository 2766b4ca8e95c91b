import type { EventData, EventLog } from "@deputy/protocol";
import { type RpcMethodName, rpcMethods, type RpcParams, type RpcResult } from "@deputy/protocol/rpc";
import { GatewayError } from "../../gateway-error.ts";
import type { PageSessions } from "../../sign-in/page-sessions.ts";
import type { RpcContext, RpcHandlers } from "../rpc-context.ts";

type DoorName = Extract<
  RpcMethodName,
  | `models.${string}`
  | `settings.${string}`
  | `documents.${string}`
  | `doctor.${string}`
  | `sources.${string}`
  | `push.${string}`
  | "channels.list"
  | "channels.connect"
>;
type SetupNames = DoorName | "daemon.restart" | "signIns.list" | "signIns.revoke";

/** What a call of the door is about, besides its parameters. */
export interface SetupContext {
  /** Aborts with the connection. */
  readonly signal: AbortSignal;
  /** It comes from this machine: what would run a program here is refused otherwise. */
  readonly isOnThisMachine: boolean;
}

/**
 * How the owner changes what Deputy is made of: models, settings, documents of agents, sources of tools. Each method
 * rejects with a coded error, and then nothing was changed.
 */
export type SetupDoor = {
  readonly [Name in DoorName]: (params: RpcParams<Name>, context: SetupContext) => Promise<RpcResult<Name>>;
};

export interface SetupParts {
  /** Loaded on first use. */
  readonly setup?: (() => Promise<SetupDoor>) | undefined;
  /** Closes everything and opens it again; called once the client has its answer. */
  readonly restart?: (() => void) | undefined;
}

type Change = EventData<"setup.changed">;
type SignIn = ReturnType<PageSessions["list"]>[number];

export function setupHandlers(
  deps: SetupParts & { readonly log: EventLog; readonly pageSessions: PageSessions },
): RpcHandlers<SetupNames> {
  const { pageSessions } = deps;
  const door = async (): Promise<SetupDoor> => {
    if (deps.setup === undefined) throw new GatewayError("not_available", "This cannot be changed from here");
    return await deps.setup();
  };
  const restart = (): (() => void) => {
    if (deps.restart !== undefined) return deps.restart;
    throw new GatewayError("not_available", "This cannot be restarted from here");
  };
  /** Whoever changed it, and what; never to what, as that may be a secret. */
  const record = async (what: Change["what"], name: string, { caller }: RpcContext): Promise<void> => {
    await deps.log.append("system", [{ type: "setup.changed", data: { by: caller.name, what, name } }]);
  };
  const pass = Object.fromEntries(
    (Object.keys(rpcMethods) as RpcMethodName[]).filter(isDoorName).map((name) => [
      name,
      async (params: never, { signal, caller }: RpcContext) => {
        const call = (await door())[name] as (params: never, context: SetupContext) => Promise<unknown>;
        return await call(params, { signal, isOnThisMachine: caller.isOnThisMachine });
      },
    ]),
  ) as unknown as RpcHandlers<DoorName>;

  return {
    ...pass,
    "daemon.restart": async (_params, context) => {
      context.afterAnswer(restart());
      await record("daemon", "restart", context);
      return { ok: true };
    },
    "models.connect": async (params, context) => {
      const begin = restart();
      const answer = await pass["models.connect"](params, context);
      if (answer.outcome !== "connected") return answer;
      await record("model", `${params.provider}/${params.model}`, context);
      context.afterAnswer(begin);
      return answer;
    },
    "channels.connect": async (params, context) => {
      const begin = restart();
      const answer = await pass["channels.connect"](params, context);
      if (answer.outcome !== "connected") return answer;
      await record("setting", `adapters.${params.channel}`, context);
      context.afterAnswer(begin);
      return answer;
    },
    "push.subscribe": async (params, context) => {
      const begin = restart();
      const answer = await pass["push.subscribe"](params, context);
      await record("setting", "adapters.push", context);
      if (answer.turnedOn) context.afterAnswer(begin);
      return answer;
    },
    "settings.set": async (params, context) => {
      const answer = await pass["settings.set"](params, context);
      await record("setting", params.path.join("."), context);
      return answer;
    },
    "settings.unset": async (params, context) => {
      const answer = await pass["settings.unset"](params, context);
      await record("setting", params.path.join("."), context);
      return answer;
    },
    "documents.write": async (params, context) => {
      const answer = await pass["documents.write"](params, context);
      await record("document", params.id, context);
      return answer;
    },
    "documents.remove": async (params, context) => {
      const answer = await pass["documents.remove"](params, context);
      await record("document", params.id, context);
      return answer;
    },
    "sources.keep": async (params, context) => {
      const answer = await pass["sources.keep"](params, context);
      await record("source", answer.source.name, context);
      return answer;
    },
    "sources.remove": async (params, context) => {
      const answer = await pass["sources.remove"](params, context);
      await record("source", params.name, context);
      return answer;
    },
    "signIns.list": async (_params, { caller }) => {
      const shown = (one: SignIn) => ({ ...one, isThis: one.id === caller.pageSession });
      return { signIns: pageSessions.list().map(shown) };
    },
    "signIns.revoke": async ({ id }, context) => {
      if (!pageSessions.revoke(id)) throw new GatewayError("not_found", "There is no such sign-in");
      await record("sign_in", id, context);
      return { ok: true };
    },
  };
}

function isDoorName(name: RpcMethodName): name is DoorName {
  return /^(?:models|settings|documents|doctor|sources|push)\.|^channels\.(?:list|connect)$/.test(name);
}
