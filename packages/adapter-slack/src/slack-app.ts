import {
  ChannelsError,
  type ChatApp,
  createHandOver,
  createKeepTrying,
  type Message,
  type PostedFile,
  type Said,
} from "@deputy/channels";
import { type Clock, untilStopped } from "@deputy/kit";
import { type Logger, LogLevel, WebClient, type WebClientOptions } from "@slack/web-api";
import { followSocket, type SlackEnvelope } from "./follow-socket.ts";
import { type Envelope, type PressedInSlack, readEnvelope, type SlackFile } from "./read-envelope.ts";
import { ASKS, escapeSlack, slackBlocks, slackLength, slackSummary } from "./slack-blocks.ts";
import { slackFailure } from "./slack-failure.ts";

export interface SlackOptions {
  /** `xoxb-…`, with which Deputy writes. */
  readonly botToken: string;
  /** `xapp-…`, with which it connects. */
  readonly appToken: string;
  /** Where Slack's API is; its own address unless given. */
  readonly apiRoot?: string;
  readonly clock: Clock;
  /** Something that the owner should see in the daemon's output. */
  readonly tell: (text: string) => void;
}

const API_ROOT = "https://slack.com";
/** Slack takes more, and folds what is longer. */
const MAX_CHARS = 3_000;
const EDIT_EVERY_MS = 1_500;
/** Slack takes more; a phone does not. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MOST_REASON = 1_000;

/** Slack by its Web API and Socket Mode. */
export function createSlackApp(options: SlackOptions): ChatApp {
  const { apiRoot = API_ROOT, clock, botToken } = options;
  const settings: WebClientOptions = {
    slackApiUrl: `${apiRoot}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    logger: SILENT,
  };
  const api = new WebClient(botToken, settings);

  /** Each call goes through here: what fails says what that means for the message. */
  const ask = async <Value>(
    what: "post" | "again",
    call: () => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> => {
    signal.throwIfAborted();
    try {
      return await untilStopped(call(), signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw slackFailure(error, what);
    }
  };
  const whoAmI = async (signal: AbortSignal): Promise<{ readonly id: string; readonly name: string }> => {
    const { user_id: id = "", user = "Deputy" } = await ask("again", () => api.auth.test(), signal);
    return { id, name: `@${user}` };
  };

  const tellPresser = async (pressed: PressedInSlack, text: string): Promise<void> => {
    const params = { ...placeOf(pressed.place), user: pressed.by.id, text: escapeSlack(text) };
    await api.chat.postEphemeral(params).catch(() => undefined);
  };
  /** A no may have a reason; what the question was comes back with it. */
  const askReason = async (pressed: PressedInSlack, trigger: string): Promise<void> => {
    const { place, ref, data } = pressed;
    const view = {
      type: "modal" as const,
      title: { type: "plain_text" as const, text: "Deny" },
      submit: { type: "plain_text" as const, text: "Deny" },
      close: { type: "plain_text" as const, text: "Back" },
      private_metadata: JSON.stringify({ place, ref, data }),
      blocks: [
        {
          type: "input" as const,
          block_id: "reason",
          optional: true,
          label: { type: "plain_text" as const, text: "Why? Deputy is told." },
          element: {
            type: "plain_text_input" as const,
            action_id: "reason",
            multiline: true,
            max_length: MOST_REASON,
          },
        },
      ],
    };
    await api.views.open({ trigger_id: trigger, view });
  };

  const download = async (url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    // The token goes to Slack only, whatever the address says.
    if (!isSlacks(url, apiRoot)) throw new ChannelsError("refused", "it is not at Slack");
    try {
      const answer = await fetch(url, {
        headers: { authorization: `Bearer ${botToken}` },
        signal,
        redirect: "error",
      });
      if (!answer.ok) throw new ChannelsError("refused", `Slack does not give it (${answer.status})`);
      return new Uint8Array(await answer.arrayBuffer());
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw slackFailure(error, "again");
    }
  };
  const withBytes = ({ url, ...file }: SlackFile) => ({
    ...file,
    read: (signal: AbortSignal) => download(url, signal),
  });

  /** Slack gives an address for the bytes; they are shown once it is told where. */
  const postFile = async (place: string, file: PostedFile, signal: AbortSignal): Promise<string> => {
    const { name: filename, bytes, mimeType } = file;
    const { upload_url: url = "", file_id: id = "" } = await ask(
      "again",
      () => api.files.getUploadURLExternal({ filename, length: bytes.byteLength }),
      signal,
    );
    if (!isSlacks(url, apiRoot)) throw new ChannelsError("refused", "Slack wants the file elsewhere");
    try {
      const type = { "content-type": mimeType };
      const sent = await fetch(url, {
        method: "POST",
        headers: type,
        body: bytes,
        signal,
        redirect: "error",
      });
      if (!sent.ok) throw new ChannelsError("not_sent", `Slack does not take the file (${sent.status})`);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw slackFailure(error, "again");
    }
    const { channel, ...thread } = placeOf(place);
    const shown = {
      files: [{ id, title: filename }] as [{ id: string; title: string }],
      channel_id: channel,
    };
    await ask("post", () => api.files.completeUploadExternal({ ...shown, ...thread }), signal);
    return id;
  };

  /**
   * A slash command is shown to nobody and has no thread: what was said becomes the beginning of one, in the chat of
   * their own with Deputy.
   */
  const saidByCommand = async (
    { id, by, text }: Extract<Envelope, { kind: "command" }>,
    signal: AbortSignal,
  ): Promise<Said> => {
    const { channel } = await ask("again", () => api.conversations.open({ users: by.id }), signal);
    const direct = channel?.id ?? "";
    let place: Promise<string> | undefined;
    const open = async (until: AbortSignal): Promise<string> => {
      const quote = { runs: [{ text, styles: [{ kind: "quote" as const }] }] };
      const { ts = "" } = await ask(
        "post",
        () => api.chat.postMessage({ channel: direct, ...lookOf(quote) }),
        until,
      );
      return `${direct}--${ts}`;
    };
    return {
      kind: "said",
      id,
      place: direct,
      by,
      text,
      files: [],
      // It may be asked for again, and is made once.
      open: (until) =>
        (place ??= open(until).catch((error: unknown) => {
          place = undefined;
          throw error;
        })),
    };
  };

  return {
    name: "slack",
    can: {
      maxChars: MAX_CHARS,
      measure: slackLength,
      deduplicates: false,
      editEveryMs: EDIT_EVERY_MS,
      maxFileBytes: MAX_FILE_BYTES,
    },
    async receive(hear, signal) {
      const keepTrying = createKeepTrying(options);
      const { id: me } = await keepTrying.until(() => whoAmI(signal), signal);
      const handOver = createHandOver({ clock, hear }, signal);
      const take = async ({ type, body }: SlackEnvelope): Promise<void> => {
        const envelope = readEnvelope(type, body, me);
        switch (envelope.kind) {
          case "said": {
            const { files, ...said } = envelope.said;
            return await handOver({ ...said, files: files.map(withBytes) });
          }
          case "pressed":
            if (envelope.actionId.startsWith(ASKS))
              return await askReason(envelope.pressed, envelope.trigger);
            return await handOver({
              ...envelope.pressed,
              tell: (text) => tellPresser(envelope.pressed, text),
            });
          case "looked":
            return await handOver({ kind: "looked", id: envelope.id, place: "", by: envelope.by });
          case "command":
            return await handOver(await saidByCommand(envelope, signal));
          case "submitted":
            return await handOver({
              ...envelope.pressed,
              tell: (text) => tellPresser(envelope.pressed, text),
            });
          default:
        }
      };
      try {
        while (!signal.aborted)
          await keepTrying.until(
            () =>
              followSocket(
                { appToken: options.appToken, clientOptions: settings, logger: SILENT, clock },
                take,
                signal,
              ),
            signal,
          );
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    async identify(signal) {
      const app = new WebClient(options.appToken, settings);
      await ask("again", () => app.apps.connections.open({}), signal);
      return (await whoAmI(signal)).name;
    },
    async post(place, message, _key, signal) {
      if (message.file !== undefined) return await postFile(place, message.file, signal);
      const { ts = "" } = await ask(
        "post",
        () => api.chat.postMessage({ ...placeOf(place), ...lookOf(message) }),
        signal,
      );
      return ts;
    },
    async edit(place, ref, message, signal) {
      const { channel } = placeOf(place);
      await ask("again", () => api.chat.update({ channel, ts: ref, ...lookOf(message) }), signal);
    },
    async showHome(person, message, signal) {
      const view = { type: "home" as const, blocks: slackBlocks(message) as never };
      await ask("again", () => api.views.publish({ user_id: person, view }), signal);
    },
    // Slack shows it only for its own assistants' panes.
    typing: async () => undefined,
  };
}

/** No previews: Slack would fetch addresses that a model wrote. */
function lookOf(message: Message) {
  return {
    text: slackSummary(message.runs),
    blocks: slackBlocks(message) as never,
    unfurl_links: false,
    unfurl_media: false,
  };
}

function placeOf(place: string): { readonly channel: string; readonly thread_ts?: string } {
  const [channel = "", thread_ts] = place.split("--");
  return thread_ts === undefined ? { channel } : { channel, thread_ts };
}

function isSlacks(url: string, apiRoot: string): boolean {
  const at = URL.parse(url);
  if (at === null) return false;
  if (at.origin === new URL(apiRoot).origin) return true;
  return at.protocol === "https:" && /(?:^|\.)slack\.com$/.test(at.hostname);
}

/** What it would say has tokens and messages in it. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};
