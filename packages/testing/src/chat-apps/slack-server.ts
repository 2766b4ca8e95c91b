import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import type { DeliveryFault } from "./delivery-fault.ts";
import { escapeHtml } from "./escape-html.ts";
import type { SentFile } from "./read-form.ts";
import { slackEvents } from "./slack-events.ts";
import {
  SLACK_METHODS,
  type SlackBlocks,
  type SlackButton,
  type SlackMethod,
  shownInSlack,
} from "./slack-rules.ts";
import { openSlackSocket } from "./slack-socket.ts";
import { createSlackUploads } from "./slack-uploads.ts";

/**
 * Slack's Web API and Socket Mode as its documentation describes them: methods, limits and refusals, connections that
 * are opened with a one-time address, envelopes that come again until they are acknowledged. People are played by the
 * test.
 */
export interface SlackServer extends AsyncDisposable {
  readonly apiRoot: string;
  readonly botToken: string;
  readonly appToken: string;
  /** Somebody says something; gives its timestamp, which is also its thread unless it is said in one. */
  say(by: string, text: string, more?: SlackSaying): string;
  /** Somebody presses a button; gives what they alone are told. A modal that it opens is submitted with the reason. */
  press(by: string, channel: string, ts: string, label: string, reason?: string): Promise<string>;
  /** Somebody types `/deputy` and something after it, in some channel. */
  command(by: string, text: string): void;
  /** Somebody looks at the app's home tab. */
  openHome(by: string): void;
  /** Somebody puts a sign under a message. */
  react(by: string, channel: string, ts: string): void;
  /** What they see there. */
  home(user: string): string;
  /** The threads in which Deputy has written. */
  threads(channel: string): readonly string[];
  /** What Deputy shows in a thread, in order. */
  messages(channel: string, thread: string): readonly SlackShown[];
  readonly calls: readonly string[];
  fail(method: SlackMethod, how: SlackFault): void;
  storm(state: "begins" | "ends"): void;
  /** This is told of each call that does something: before it is done, and after it and before it is answered. */
  tap(on: (method: string, moment: "before" | "after") => void): void;
  /** How many connections there are. */
  connections(): number;
  /** Ends the connections as Slack does every few hours. */
  recycle(): void;
  /** What happens next comes with this fault. */
  upset(how: DeliveryFault): void;
  /** Its clock is that far off from now on. */
  skew(ms: number): void;
  revoke(): void;
}

export interface SlackSaying {
  readonly channel?: string;
  readonly thread?: string;
  readonly byBot?: true;
  /** Only for a channel: it mentions Deputy. */
  readonly mentions?: boolean;
  readonly edits?: string;
  readonly file?: {
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: Uint8Array;
    readonly url?: string;
  };
}

export interface SlackShown {
  readonly ts: string;
  readonly text: string;
  /** As a browser shows it. */
  readonly html: string;
  readonly buttons: readonly string[];
  readonly file?: SentFile | undefined;
}

/** `cut_after`: it is done, and the answer is lost. `garble`: it is done, and something else comes as the answer. */
export type SlackFault =
  | { readonly kind: "cut_after" }
  | { readonly kind: "garble"; readonly body: string }
  | { readonly kind: "limit"; readonly seconds: number }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "status"; readonly status: number };

interface Stored {
  readonly ts: string;
  readonly thread: string;
  text: string;
  html: string;
  buttons: readonly SlackButton[];
  readonly file?: SentFile;
}

const MOST_CHARS = 12_000;
const BOT = { id: "UDEPUTY", name: "deputy" };

/** The chat of one person with the bot. */
export const directChannel = (user: string): string => `D${user.slice(1)}`;

export async function serveSlack(): Promise<SlackServer> {
  let botToken = "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy";
  const appToken = "xapp-1-A111-222-b4c5d6";
  let isRevoked = false;
  let isStorm = false;
  let clock = 1_700_000_000;
  let next = 0;
  let skewMs = 0;
  const channels = new Map<string, Stored[]>();
  const files = new Map<string, Uint8Array>();
  const uploads = createSlackUploads();
  const faults = new Map<string, SlackFault[]>();
  const told = new Map<string, PromiseWithResolvers<string>>();
  const triggers = new Map<string, { readonly by: string; readonly reason: string }>();
  const homes = new Map<string, string>();
  const calls: string[] = [];
  let tapped: (method: string, moment: "before" | "after") => void = () => undefined;

  const stamp = (): string => `${++clock + Math.floor(skewMs / 1_000)}.000100`;
  const socket = openSlackSocket({ isDown: () => isStorm });
  const { push } = socket;
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.on("upgrade", socket.upgrade);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** By which name it was asked last: there may be something in between. */
  let reachedAt = apiRoot;

  const happens = (event: object): void => {
    push("events_api", { type: "event_callback", team_id: "T1", event_id: `Ev${++next}`, event }, "again");
  };
  const threadOf = (channel: string): Stored[] => {
    const found = channels.get(channel);
    if (found === undefined) throw new SlackRefusal("channel_not_found");
    return found;
  };
  const lookOf = ({ text = "", blocks }: { text?: string | undefined; blocks?: SlackBlocks | undefined }) => {
    if (text === "" && blocks === undefined) throw new SlackRefusal("no_text");
    const shown = blocks === undefined ? { text, html: escapeHtml(text), buttons: [] } : shownInSlack(blocks);
    if (shown.text.length > MOST_CHARS) throw new SlackRefusal("msg_blocks_too_long");
    return shown;
  };

  const answer = (method: SlackMethod, raw: unknown): object => {
    switch (method) {
      case "auth.test":
        return { user_id: BOT.id, user: BOT.name, team_id: "T1", bot_id: "B1" };
      case "apps.connections.open": {
        return { url: `${reachedAt.replace("http", "ws")}/link/?ticket=${socket.ticket()}` };
      }
      case "chat.postMessage": {
        const {
          channel,
          thread_ts: thread,
          ...more
        } = raw as z.infer<(typeof SLACK_METHODS)["chat.postMessage"]>;
        const ts = stamp();
        threadOf(channel).push({ ts, thread: thread ?? ts, ...lookOf(more) });
        return { channel, ts };
      }
      case "chat.update": {
        const { channel, ts, ...more } = raw as z.infer<(typeof SLACK_METHODS)["chat.update"]>;
        const stored = threadOf(channel).find((one) => one.ts === ts);
        if (stored === undefined) throw new SlackRefusal("message_not_found");
        Object.assign(stored, lookOf(more));
        return { channel, ts };
      }
      case "chat.postEphemeral": {
        const { user, text, channel } = raw as z.infer<(typeof SLACK_METHODS)["chat.postEphemeral"]>;
        threadOf(channel);
        told.get(user)?.resolve(text);
        return { message_ts: stamp() };
      }
      case "conversations.open": {
        const { users } = raw as z.infer<(typeof SLACK_METHODS)["conversations.open"]>;
        const id = directChannel(users);
        if (!channels.has(id)) channels.set(id, []);
        return { channel: { id } };
      }
      case "files.getUploadURLExternal": {
        const { filename, length } = raw as z.infer<(typeof SLACK_METHODS)["files.getUploadURLExternal"]>;
        const id = uploads.begin(filename, length);
        return { file_id: id, upload_url: `${reachedAt}${uploads.pathOf(id)}` };
      }
      case "files.completeUploadExternal": {
        const {
          files: [wanted],
          channel_id: channel,
          thread_ts: thread,
        } = raw as z.infer<(typeof SLACK_METHODS)["files.completeUploadExternal"]>;
        const { id = "", title = "" } = wanted ?? {};
        const file = uploads.take(id);
        if (file === undefined) throw new SlackRefusal("file_not_found");
        const shown = {
          ts: id,
          thread: thread ?? stamp(),
          text: title,
          html: escapeHtml(title),
          buttons: [],
          file,
        };
        threadOf(channel).push(shown);
        return { files: [{ id, title }] };
      }
      case "views.publish": {
        const { user_id: user, view } = raw as z.infer<(typeof SLACK_METHODS)["views.publish"]>;
        homes.set(user, shownInSlack(view.blocks).text);
        return { view: { id: `V${++next}` } };
      }
      default: {
        const { trigger_id: trigger, view } = raw as z.infer<(typeof SLACK_METHODS)["views.open"]>;
        const pressed = triggers.get(trigger);
        if (pressed === undefined) throw new SlackRefusal("invalid_trigger_id");
        triggers.delete(trigger);
        const values = { reason: { reason: { value: pressed.reason === "" ? null : pressed.reason } } };
        const user = { id: pressed.by, name: pressed.by.toLowerCase() };
        const submitted = { id: `V${++next}`, private_metadata: view.private_metadata, state: { values } };
        setImmediate(() => push("interactive", { type: "view_submission", user, view: submitted }, "once"));
        return { view: { id: submitted.id } };
      }
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader("date", new Date(Date.now() + skewMs).toUTCString());
    reachedAt = `http://${request.headers.host ?? ""}`;
    const send = (status: number, body: object, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? "", "http://x");
    const bearer = request.headers.authorization?.replace("Bearer ", "");
    if (isStorm) return send(503, { ok: false, error: "service_unavailable" });
    const file = files.get(pathname);
    if (file !== undefined) {
      if (bearer !== botToken) return send(403, { ok: false });
      return void response.writeHead(200).end(file);
    }
    const uploaded = await uploads.receive(pathname, request);
    if (uploaded !== undefined) return void response.writeHead(uploaded.status).end(uploaded.text);
    const method = pathname.replace("/api/", "") as SlackMethod;
    const form = new URLSearchParams(await readText(request));
    form.delete("token");
    const schema = (SLACK_METHODS as Readonly<Record<string, z.ZodType>>)[method];
    if (schema === undefined) return send(200, { ok: false, error: "unknown_method" });
    const wanted = method === "apps.connections.open" ? appToken : botToken;
    if (isRevoked || bearer !== wanted) return send(200, { ok: false, error: "invalid_auth" });
    calls.push(method);
    const fault = faults.get(method)?.shift();
    if (fault?.kind === "limit")
      return send(429, { ok: false, error: "ratelimited" }, { "retry-after": String(fault.seconds) });
    if (fault?.kind === "status") return send(fault.status, { ok: false });
    if (fault?.kind === "error") return send(200, { ok: false, error: fault.error });
    const params = schema.safeParse(Object.fromEntries(form));
    if (!params.success)
      return send(200, { ok: false, error: "invalid_blocks", detail: z.prettifyError(params.error) });
    try {
      tapped(method, "before");
      const result = answer(method, params.data);
      tapped(method, "after");
      if (fault?.kind === "cut_after") return void request.socket.destroy();
      if (fault?.kind === "garble") return void response.writeHead(200).end(fault.body);
      send(200, { ok: true, ...result });
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      send(200, { ok: false, error: error.message });
    }
  };

  return {
    apiRoot,
    get botToken() {
      return botToken;
    },
    appToken,
    calls,
    say(by, text, { channel = directChannel(by), thread, byBot, mentions = true, edits, file } = {}) {
      if (!channels.has(channel)) channels.set(channel, []);
      const ts = edits ?? stamp();
      const isMentioned = mentions && !channel.startsWith("D");
      const path = `/files/F${++next}`;
      if (file !== undefined) files.set(path, file.bytes);
      const attached =
        file === undefined
          ? {}
          : { file: { ...file, id: path.slice(7), url: file.url ?? `${apiRoot}${path}` } };
      const how = { channel, thread, byBot, mentions: isMentioned, edits, ...attached };
      for (const event of slackEvents.said({ by, text, ts, bot: BOT.id, stamp }, how)) happens(event);
      return ts;
    },
    async press(by, channel, ts, label, reason = "") {
      const stored = channels.get(channel)?.find((one) => one.ts === ts);
      const button = stored?.buttons.find((one) => one.label === label);
      if (stored === undefined || button === undefined)
        throw new Error(`There is no button “${label}” under ${ts}`);
      const answered = Promise.withResolvers<string>();
      told.set(by, answered);
      const trigger = `trigger-${++next}`;
      triggers.set(trigger, { by, reason });
      const thread = stored.thread === ts ? undefined : stored.thread;
      push(
        "interactive",
        slackEvents.pressed({ by, trigger, at: stamp() }, { channel, ts, thread }, button),
        "once",
      );
      return await answered.promise;
    },
    command: (by, text) => push("slash_commands", slackEvents.command(by, text, `trigger-${++next}`), "once"),
    openHome: (by) => happens(slackEvents.openedHome(by, directChannel(by), stamp())),
    react: (by, channel, ts) => happens(slackEvents.reacted(by, BOT.id, { channel, ts, at: stamp() })),
    home: (user) => homes.get(user) ?? "",
    threads: (channel) => [...new Set((channels.get(channel) ?? []).map(({ thread }) => thread))],
    messages: (channel, thread) =>
      (channels.get(channel) ?? [])
        .filter((one) => one.thread === thread)
        .map(({ ts, text, html, buttons, file }) => ({
          ts,
          text,
          html,
          buttons: buttons.map(({ label }) => label),
          file,
        })),
    fail: (method, how) => void faults.set(method, [...(faults.get(method) ?? []), how]),
    storm: (state) => {
      isStorm = state === "begins";
      if (isStorm) socket.cut();
    },
    tap: (on) => void (tapped = on),
    connections: socket.connections,
    recycle: socket.recycle,
    upset: socket.upset,
    skew: (ms) => void (skewMs = ms),
    revoke: () => {
      isRevoked = true;
      botToken = `${botToken}x`;
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class SlackRefusal extends Error {}
