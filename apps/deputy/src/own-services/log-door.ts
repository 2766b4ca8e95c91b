import { createIdSource, createSystemClock } from "@deputy/kit";
import { type DaemonLink, openDaemonLink } from "@deputy/client/daemon-link";
import type { EventLog } from "@deputy/protocol";
import { attach, locateDaemon } from "../chat/attach.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";

/** The way of a command to the log: by the running daemon when there is one, else the command's own. */
export interface LogDoor extends AsyncDisposable {
  /** Opens it, unless it is open. Rejects with `home_in_use` when another program has the log. */
  open(): Promise<OpenLog>;
  /** Lets others have it until it is opened again. Idempotent. */
  release(): Promise<void>;
}

export type OpenLog =
  | { readonly kind: "daemon"; readonly link: DaemonLink }
  | { readonly kind: "own"; readonly log: EventLog };

export function createLogDoor(
  { env, warn, signal }: Pick<Invocation, "env" | "warn" | "signal">,
  home: Home,
): LogDoor {
  const clock = createSystemClock();
  let closing = new AsyncDisposableStack();
  let opened: Promise<OpenLog> | undefined;
  const open = async (): Promise<OpenLog> => {
    if ((await attach(home, env)) !== undefined) {
      const find = () => locateDaemon(home, env);
      const link = await openDaemonLink({ find, clock, tell: () => undefined }, signal);
      closing.defer(() => link[Symbol.dispose]());
      return { kind: "daemon", link };
    }
    const ids = createIdSource({ clock });
    const { log } = closing.use(await openStore({ directory: home.directory, clock, ids, warn }));
    return { kind: "own", log };
  };
  const release = async (): Promise<void> => {
    const before = closing;
    closing = new AsyncDisposableStack();
    opened = undefined;
    await before.disposeAsync();
  };
  return {
    async open() {
      try {
        return await (opened ??= open());
      } catch (error) {
        opened = undefined;
        throw error;
      }
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}
