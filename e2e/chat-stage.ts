import {
  directChannel,
  discordChat,
  serveDiscord,
  serveSlack,
  serveTelegram,
} from "@deputy/testing/chat-apps";

export const STAGED_APPS = ["telegram", "slack", "discord"] as const;
export type StagedApp = (typeof STAGED_APPS)[number];

/**
 * The strict fake of a chat app with people in it, who are numbers: each talks to Deputy in a chat of their own, and all
 * of them in a room.
 */
export interface ChatStage extends AsyncDisposable {
  readonly app: StagedApp;
  /** Where the service is. */
  readonly apiRoot: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the settings say of the app. `apiRoot` if it is reached by another way. */
  settings(more?: object): object;
  /** The id by which the app knows somebody. */
  person(nth: number): string;
  /** The id of the group that the room is, or is in. */
  readonly group: string;
  /** True once the app hears Deputy: what it shows is not waited for. */
  connected(): boolean;
  /** Gives the app's name for what was said. In the room it is said to Deputy. */
  say(nth: number, text: string, more?: StageSaying): string;
  /** Somebody puts a sign under a message, which is no word. */
  react(nth: number, ref: string, where: Where): void;
  /** What Deputy shows somebody, in order. */
  shown(where: Where): readonly StageShown[];
  press(nth: number, ref: string, label: string, where?: Where): Promise<string>;
  /** The key of the conversation, once something was said there. */
  session(where: Where): string;
}

/** Somebody's own chat with Deputy, or the room. */
export type Where = number | "room";

export interface StageSaying {
  readonly room?: true;
  /** Changes what was said before. */
  readonly edits?: string;
  /** What the person calls themselves. */
  readonly name?: string;
  readonly file?: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array };
}

export interface StageShown {
  readonly ref: string;
  readonly text: string;
  readonly buttons: readonly string[];
  readonly file?: { readonly name: string; readonly bytes: Uint8Array } | undefined;
}

export function openStage(app: StagedApp): Promise<ChatStage> {
  if (app === "telegram") return openTelegram();
  return app === "slack" ? openSlack() : openDiscord();
}

async function openTelegram(): Promise<ChatStage> {
  const telegram = await serveTelegram();
  const idOf = (nth: number): number => 1_000 + nth;
  const room = { id: -100, type: "supergroup" as const };
  const chatOf = (where: Where): number => (where === "room" ? room.id : idOf(where));
  const user = (nth: number, name = `P${nth}`) => ({ id: idOf(nth), first_name: name });
  return {
    app: "telegram",
    apiRoot: telegram.apiRoot,
    env: { TELEGRAM: telegram.token },
    settings: (more) => ({ enabled: true, botToken: "env:TELEGRAM", apiRoot: telegram.apiRoot, ...more }),
    person: (nth) => String(idOf(nth)),
    group: String(room.id),
    connected: () => telegram.calls.some(({ method }) => method === "getUpdates"),
    say: (nth, text, { room: isRoom, name, edits, file } = {}) =>
      String(
        telegram.say(user(nth, name), isRoom === true ? `@deputy_test_bot ${text}` : text, {
          ...(isRoom === true && { chat: room }),
          ...(edits !== undefined && { edits: Number(edits) }),
          ...(file !== undefined && { file }),
        }),
      ),
    react: (nth, ref, where) => telegram.react(user(nth), chatOf(where), Number(ref)),
    shown: (where) =>
      telegram
        .messages(chatOf(where))
        .map(({ id, text, buttons, file }) => ({ ref: String(id), text, buttons, file })),
    press: (nth, ref, label, where = nth) => telegram.press(user(nth), chatOf(where), Number(ref), label),
    session: (where) => `telegram--${chatOf(where)}`,
    [Symbol.asyncDispose]: () => telegram[Symbol.asyncDispose](),
  };
}

async function openSlack(): Promise<ChatStage> {
  const slack = await serveSlack();
  const idOf = (nth: number): string => `U${1_000 + nth}`;
  const room = "C1";
  const channelOf = (where: Where): string => (where === "room" ? room : directChannel(idOf(where)));
  /** The thread in which is talked: the first message begins it. */
  const threads = new Map<Where, string>();
  return {
    app: "slack",
    apiRoot: slack.apiRoot,
    env: { SLACK_BOT: slack.botToken, SLACK_APP: slack.appToken },
    settings: (more) => ({
      enabled: true,
      botToken: "env:SLACK_BOT",
      appToken: "env:SLACK_APP",
      apiRoot: slack.apiRoot,
      ...more,
    }),
    person: idOf,
    group: room,
    connected: () => slack.connections() > 0,
    say(nth, text, { room: isRoom, edits, file } = {}) {
      const where = isRoom === true ? "room" : nth;
      const thread = threads.get(where);
      const ts = slack.say(idOf(nth), text, {
        channel: channelOf(where),
        ...(thread !== undefined && { thread }),
        ...(edits !== undefined && { edits }),
        ...(file !== undefined && { file }),
      });
      if (thread === undefined) threads.set(where, ts);
      return ts;
    },
    react: (nth, ref, where) => slack.react(idOf(nth), channelOf(where), ref),
    shown: (where) =>
      slack
        .messages(channelOf(where), threads.get(where) ?? "")
        .map(({ ts, text, buttons, file }) => ({ ref: ts, text, buttons, file })),
    press: (nth, ref, label, where = nth) => slack.press(idOf(nth), channelOf(where), ref, label),
    session: (where) => `slack--${channelOf(where)}--${threads.get(where) ?? ""}`,
    [Symbol.asyncDispose]: () => slack[Symbol.asyncDispose](),
  };
}

async function openDiscord(): Promise<ChatStage> {
  const discord = await serveDiscord();
  const idOf = (nth: number): string => String(800_000_000_000_000_000n + BigInt(nth));
  const room = "600000000000000001";
  const channelOf = (where: Where): string => (where === "room" ? room : discordChat(idOf(where)));
  return {
    app: "discord",
    apiRoot: discord.apiRoot,
    env: { DISCORD: discord.token },
    settings: (more) => ({ enabled: true, botToken: "env:DISCORD", apiRoot: discord.apiRoot, ...more }),
    person: idOf,
    group: room,
    connected: () => discord.connections() > 0,
    say: (nth, text, { room: isRoom, edits, file } = {}) =>
      discord.say(idOf(nth), text, {
        ...(isRoom === true && { channel: room }),
        ...(edits !== undefined && { edits }),
        ...(file !== undefined && { file }),
      }),
    react: (nth, ref, where) => discord.react(idOf(nth), channelOf(where), ref),
    shown: (where) =>
      discord
        .messages(channelOf(where))
        .map(({ id, text, buttons, file }) => ({ ref: id, text, buttons, file })),
    press: (nth, ref, label, where = nth) => discord.press(idOf(nth), channelOf(where), ref, label),
    session: (where) => `discord--${channelOf(where)}`,
    [Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
  };
}
