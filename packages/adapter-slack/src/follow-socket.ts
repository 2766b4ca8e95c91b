import type { Clock } from "@deputy/kit";
import { SocketModeClient } from "@slack/socket-mode";
import type { Logger, WebClientOptions } from "@slack/web-api";
import { slackFailure } from "./slack-failure.ts";

export interface SlackEnvelope {
  readonly type: string;
  readonly body: unknown;
}

interface SlackEvent extends SlackEnvelope {
  readonly ack: () => Promise<void>;
}

/**
 * One connection: hands over what comes until it ends, which it does every few hours. Slack is told that something
 * arrived once it was taken; what was not taken comes again. Resolves when the connection ends or the signal aborts;
 * rejects with a `ChannelsError` if it cannot be made.
 */
export async function followSocket(
  settings: {
    readonly appToken: string;
    readonly clientOptions: WebClientOptions;
    readonly logger: Logger;
    readonly clock: Clock;
  },
  take: (envelope: SlackEnvelope) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { clock, ...options } = settings;
  const client = new PatientClient({ ...options, autoReconnectEnabled: false });
  const ended = Promise.withResolvers<"by_slack" | "by_us">();
  client.on("disconnected", () => ended.resolve("by_slack"));
  client.on("slack_event", ({ type, body, ack }: SlackEvent) => {
    take({ type, body })
      .then(ack)
      // Without an answer, Slack sends it again.
      .catch(() => undefined);
  });
  const stop = (): void => ended.resolve("by_us");
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([client.start(), ended.promise]);
    if ((await ended.promise) === "by_us") await sayGoodbye(client, clock);
  } catch (error) {
    throw slackFailure(error, "again");
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The library ends the process over an envelope that has no event in it; here it is passed over. */
class PatientClient extends SocketModeClient {
  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    await super.onWebSocketMessage(data, isBinary).catch(() => undefined);
  }
}

/** What came to a connection that nobody reads any more would be lost; Slack is given a moment to close its side. */
async function sayGoodbye(client: SocketModeClient, clock: Clock): Promise<void> {
  const over = new AbortController();
  const late = clock.sleep(GOODBYE_MS, over.signal).catch(() => undefined);
  await Promise.race([client.disconnect().catch(() => undefined), late]);
  over.abort();
}

const GOODBYE_MS = 1_000;
