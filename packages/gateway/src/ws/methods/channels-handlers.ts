import type { Channels } from "@deputy/tasks";
import { GatewayError } from "../../gateway-error.ts";
import type { RpcHandlers } from "../rpc-context.ts";

type ChannelsNames =
  | "channels.code"
  | "channels.pair"
  | "channels.unpair"
  | "channels.people"
  | "channels.keep"
  | "channels.home"
  | "channels.failed"
  | "channels.retry"
  | "channels.posting"
  | "channels.posted"
  | "channels.shown"
  | "channels.progress";

const OK = { ok: true } as const;

/** Without `open` there is nothing that keeps what chat apps need. */
export function channelsHandlers(deps: {
  readonly channels?: (() => Promise<Channels>) | undefined;
}): RpcHandlers<ChannelsNames> {
  const open = async (): Promise<Channels> => {
    if (deps.channels !== undefined) return await deps.channels();
    throw new GatewayError("not_available", "Chat apps cannot be connected here");
  };
  return {
    "channels.code": async ({ channel }) => await (await open()).issueCode(channel),
    "channels.pair": async ({ channel, person, code }) => ({
      paired: (await (await open()).pair(channel, person, code)) === "paired",
    }),
    "channels.unpair": async ({ channel, person }) => ({ ok: await (await open()).unpair(channel, person) }),
    "channels.people": async ({ channel }) => ({ people: [...(await (await open()).people(channel))] }),
    "channels.keep": async ({ channel, people }) => {
      await (await open()).keepOnly(channel, people);
      return OK;
    },
    "channels.home": async (home) => {
      await (await open()).home(home);
      return OK;
    },
    "channels.failed": async ({ channel }) => ({ failed: [...(await (await open()).failed(channel))] }),
    "channels.retry": async ({ channel }) => ({ count: await (await open()).retry(channel) }),
    "channels.posting": async (post) => {
      await (await open()).posting(post);
      return OK;
    },
    "channels.posted": async (post) => {
      await (await open()).posted(post);
      return OK;
    },
    "channels.shown": async (what) => {
      await (await open()).shown(what);
      return OK;
    },
    "channels.progress": async ({ channel, session: only }) => ({
      conversations: (await (await open()).progress(channel, only)).map(
        ({ session, through, open: still, again, isClosed }) => ({
          session,
          through,
          open: [...still],
          again: [...again],
          closed: isClosed,
        }),
      ),
    }),
  };
}
