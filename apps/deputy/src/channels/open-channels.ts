import { ChannelsError, type Door, runChannel } from "@deputy/channels";
import { openDaemonLink } from "@deputy/client/daemon-link";
import { CodedError, isAbort, openTaskGroup } from "@deputy/kit";
import { z } from "zod";
import type { Engine } from "../engine.ts";
import type { Home } from "../home.ts";
import { enabledApps, openChatApp } from "./chat-apps.ts";

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
        using link = await openDaemonLink(
          {
            find: async () => ({ url: deps.url, token: deps.token() }),
            clock: engine.clock,
            tell: () => undefined,
          },
          signal,
        );
        const door: Door = {
          call: link.call,
          follow: link.follow,
          changes: link.changes,
          upload: (bytes, mimeType, until) => upload(deps, bytes, mimeType, until),
        };
        const { allowedUserIds: people, guestIds: guests, groupIds: groups } = home.config.adapters[name];
        const options = { app, door, clock: engine.clock, maxFileBytes: MAX_FILE_BYTES, tell };
        await runChannel({ ...options, allowed: { people, guests, groups } }, signal);
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        if (!(error instanceof CodedError)) return deps.onBug(error);
        tell([`${name} is not connected: ${error.message}.`, error.hint ?? ""].join(" ").trim());
      }
    });
  return group;
}

const storedSchema = z.object({ blobId: z.string() });

async function upload(
  { url, token }: { readonly url: string; readonly token: () => string },
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await fetch(new URL("/api/blobs", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token()}`, "content-type": mimeType },
    body: bytes,
    signal,
  });
  if (!answer.ok) throw new ChannelsError("refused", `Deputy does not keep it (${answer.status})`);
  return storedSchema.parse(await answer.json()).blobId;
}
