import { runChannel } from "@deputy/channels";
import { CodedError, isAbort, openTaskGroup } from "@deputy/kit";
import type { Engine } from "../engine.ts";
import type { Home } from "../home.ts";
import { allowedIn, enabledApps, openChatApp } from "./chat-apps.ts";
import { openDoor } from "./open-door.ts";

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/**
 * Connects the chat apps of the settings with the daemon's own doors, until it is disposed. One that cannot be
 * connected is said so; the others and the daemon go on.
 */
export function openChannels(deps: {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly engine: Pick<Engine, "clock" | "learnSecret" | "redact">;
  /** The daemon's address and token. */
  readonly url: string;
  readonly token: () => string;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): AsyncDisposable {
  const { home, engine, warn } = deps;
  const group = openTaskGroup(deps.signal);
  for (const name of enabledApps(home.config))
    group.spawn(async (signal) => {
      const tell = (text: string): void => warn(engine.redact(text));
      try {
        const app = await openChatApp(home, name, {
          env: deps.env,
          clock: engine.clock,
          tell,
          learn: engine.learnSecret,
        });
        using door = await openDoor({ url: deps.url, token: deps.token, clock: engine.clock }, signal);
        const options = { app, door, clock: engine.clock, maxFileBytes: MAX_FILE_BYTES, tell };
        await runChannel({ ...options, allowed: allowedIn(home.config, name) }, signal);
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        if (!(error instanceof CodedError)) return deps.onBug(error);
        tell([`${name} is not connected: ${error.message}.`, error.hint ?? ""].join(" ").trim());
      }
    });
  return group;
}
