import { createSystemClock } from "@deputy/kit";
import type { ChatHost } from "@deputy/client";
import { endOnFailure } from "../process/report-failure.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { ACP_CHANNEL } from "@deputy/acp";

/** Holds an editor's conversations: in the running daemon, or in this process when there is none. */
export interface EditorHost extends AsyncDisposable {
  /** Opens it on first use; tries again after a failure. Throws like `openEngine` and the daemon's host. */
  open(): Promise<ChatHost>;
}

/** Disposing leaves turns to the daemon, or to a later start. */
export function openEditorHost(invocation: Invocation, home: Home, gone: AbortSignal): EditorHost {
  const owned = new AsyncDisposableStack();
  let opening: Promise<ChatHost> | undefined;

  const openOne = async (): Promise<ChatHost> => {
    const { locateDaemon } = await import("./attach.ts");
    const find = () => locateDaemon(home, invocation.env);
    if ((await find()) === undefined) return await openLocal(invocation, home, owned);
    const [{ openDaemonHost }, { openChatGrants }] = await Promise.all([
      import("@deputy/client/daemon-host"),
      import("../decisions/chat-grants.ts"),
    ]);
    const clock = createSystemClock();
    const grants = openChatGrants(invocation);
    return owned.use(await openDaemonHost({ find, grants, clock, tell: invocation.warn }, gone));
  };

  return {
    open() {
      opening ??= openOne().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    [Symbol.asyncDispose]: async () => {
      await opening?.catch(() => undefined);
      await owned.disposeAsync();
    },
  };
}

async function openLocal(
  { env, warn, onBug, shutDown }: Invocation,
  home: Home,
  owned: AsyncDisposableStack,
): Promise<ChatHost> {
  const [{ openEngine }, { createLocalHost }] = await Promise.all([
    import("../engine.ts"),
    import("./local-host.ts"),
  ]);
  const never = new AbortController().signal;
  const engine = owned.use(
    await openEngine({
      home,
      env,
      plugins: [],
      secrets: [],
      signal: never,
      warn,
      onBug,
      onFailed: endOnFailure(warn, shutDown),
    }),
  );
  return createLocalHost(engine, home, ACP_CHANNEL);
}
