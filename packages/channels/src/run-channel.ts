import { ClientError } from "@deputy/client";
import { type Clock, isAbort, openTaskGroup, retry, type SessionId } from "@deputy/kit";
import { cardLines, type PendingApproval, projectCard, type StoredEvent } from "@deputy/protocol";
import { ChannelsError } from "./channels-error.ts";
import type { ChatApp, Heard, Message, Pressed, Said } from "./chat-app.ts";
import { type KeptConversation, keepConversation } from "./conversation/keep-conversation.ts";
import type { OpenPost } from "./conversation/poster.ts";
import { type Item, itemIds, itemsOf, questionButtons } from "./conversation/session-items.ts";
import type { Door } from "./door.ts";
import { type Allowed, createDoorkeeper } from "./people/doorkeeper.ts";
import { plainText } from "./text/styled-text.ts";

export interface ChannelOptions {
  readonly app: ChatApp;
  readonly door: Door;
  readonly allowed: Allowed;
  readonly clock: Clock;
  /** The largest file that is taken along, in bytes. */
  readonly maxFileBytes: number;
  /** Something that the owner should see in the daemon's output. */
  readonly tell: (text: string) => void;
}

const LISTED = 500;
const PAGE_EVENTS = 500;
const MOST_PAGES = 20;
const ATTEMPTS = Number.POSITIVE_INFINITY;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;

const HELP =
  "Say what you want done. /new begins a new conversation, /stop stops what is being done, and questions come with buttons.";

/** What was shown in a conversation before this process. */
interface Before {
  readonly through: number;
  readonly open: readonly OpenPost[];
}

/**
 * Connects a chat app with Deputy until the signal aborts: what those who may say there becomes messages of sessions,
 * and what happens in these sessions is shown there. Whatever breaks off, in the app, in the daemon or here, is taken up
 * again where it was. Rejects with `refused` when the app does not accept the token.
 */
export async function runChannel(options: ChannelOptions, signal: AbortSignal): Promise<void> {
  const { app, door, clock, tell } = options;
  const { name: channel } = app;
  await using group = openTaskGroup(signal);
  const until = group.signal;
  const safely = "safe_to_repeat";
  const kept = new Map<SessionId, KeptConversation>();
  const before = new Map<SessionId, Before>();
  /** How often in a row a conversation could not be gone on with. */
  const broken = new Map<SessionId, number>();
  /** The daemon may be away for a while. */
  const always = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const policy = { attempts: ATTEMPTS, baseMs: FIRST_WAIT_MS, maxMs: LONGEST_WAIT_MS };
    return retry({ clock }, { ...policy, retryable: (error) => !isAbort(error) }, until, work);
  };

  const doorkeeper = createDoorkeeper({
    allowed: options.allowed,
    paired: async (by) => (await door.call("channels.people", { channel }, safely, by)).people,
    pair: async ({ id, name }, code, by) =>
      (
        await door.call(
          "channels.pair",
          { channel, person: { id, name: name.slice(0, 200) }, code },
          safely,
          by,
        )
      ).paired,
  });

  const keep = (session: SessionId, place: string): KeptConversation => {
    const known = kept.get(session);
    if (known !== undefined) return known;
    const { through, open } = before.get(session) ?? { through: 0, open: [] };
    const conversation = keepConversation({ app, door, clock, session, place, through, open }, until);
    kept.set(session, conversation);
    group.spawn(async () => {
      try {
        await conversation.ended;
        broken.delete(session);
      } catch (error) {
        if (until.aborted) return;
        tell(`${channel}: ${reasonOf(error)}`);
        // The longer, the more often it broke off.
        const times = (broken.get(session) ?? 0) + 1;
        broken.set(session, times);
        await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** times, LONGEST_WAIT_MS), until);
      } finally {
        if (!until.aborted) await always(() => refresh(session));
        kept.delete(session);
      }
      // Something may have happened between its last look and now.
      await always(() => lookAt([session]));
    });
    return conversation;
  };

  const refresh = async (only?: SessionId): Promise<void> => {
    const params = only === undefined ? { channel } : { channel, session: only };
    const { conversations } = await door.call("channels.progress", params, safely, until);
    for (const { session, through, open } of conversations)
      before.set(session, {
        through,
        open: open.map(({ item, part, ref }) => (ref === undefined ? { item, part } : { item, part, ref })),
      });
  };

  /** Takes up those of the app's sessions in which there is something to show. */
  const lookAt = async (ids: readonly SessionId[] | "all"): Promise<void> => {
    if (ids === "all") {
      // However long ago: something may be waiting for its end.
      const unfinished = [...before].filter(([, { open }]) => open.length > 0).map(([id]) => id);
      if (unfinished.length > 0) await lookAt(unfinished.slice(-LISTED));
    }
    const params = ids === "all" ? { limit: LISTED } : { ids: [...ids] };
    const { sessions } = await door.call("sessions.list", params, safely, until);
    for (const { id, key, channel: its, events } of sessions) {
      if (its !== channel || !key.startsWith(`${channel}--`) || kept.has(id)) continue;
      if (events > (before.get(id)?.through ?? 0)) keep(id, key.slice(channel.length + 2));
    }
  };

  const sessionOf = async (place: string, existing: "go_on" | "leave"): Promise<SessionId> => {
    const params = { key: `${channel}--${place}`, channel, existing };
    return (await door.call("sessions.create", params, existing === "go_on" ? safely : "once", until))
      .sessionId;
  };

  const line = async (place: string, text: string, key: string): Promise<void> => {
    await app.post(place, { runs: plainText(text) }, key, until).catch((error: unknown) => {
      // It is only a courtesy.
      if (!(error instanceof ChannelsError)) throw error;
    });
  };

  const take = async (said: Said, trust: "user" | "untrusted"): Promise<void> => {
    const session = await sessionOf(said.place, "go_on");
    const attachments = await attach(said);
    const message = said.text.trim() === "" ? "(see what is attached)" : said.text;
    try {
      const sender = { channel, id: said.by.id, trust };
      const params = { sessionKey: session, message, attachments, messageKey: said.id, sender };
      await door.call("chat.send", params, safely, until);
    } catch (error) {
      if (!(error instanceof ClientError) || error.code === "daemon_gone") throw error;
      await line(said.place, error.message, `${said.id} refused`);
      return;
    }
    keep(session, said.place);
  };

  const attach = async ({
    files,
    place,
    id,
  }: Said): Promise<{ blobId: string; mimeType: string; name: string }[]> => {
    const attached: { blobId: string; mimeType: string; name: string }[] = [];
    for (const { name, mimeType, size = 0, read } of files) {
      try {
        const bytes = size > options.maxFileBytes ? undefined : await read(until);
        if (bytes === undefined || bytes.byteLength > options.maxFileBytes)
          throw new ChannelsError("refused", "it is too large");
        attached.push({ blobId: await door.upload(bytes, mimeType, until), mimeType, name });
      } catch (error) {
        if (!(error instanceof ChannelsError) || error.code === "not_sent") throw error;
        await line(place, `“${name}” could not be taken along: ${error.message}.`, `${id} ${name}`);
      }
    }
    return attached;
  };

  const obey = async (said: Said, trust: "user" | "untrusted"): Promise<void> => {
    const [word = ""] = said.text.trim().toLowerCase().split(/[\s@]/, 1);
    switch (word) {
      case "/start":
      case "/help":
        return await line(said.place, HELP, said.id);
      case "/new":
        await sessionOf(said.place, "leave");
        return await line(said.place, "A new conversation. The earlier one stays on the page.", said.id);
      case "/stop": {
        const session = await sessionOf(said.place, "go_on");
        const running = kept.get(session)?.running() ?? [];
        if (running.length === 0) return await line(said.place, "Nothing is being done.", said.id);
        for (const runId of running) await door.call("chat.abort", { runId }, safely, until);
        return;
      }
      default:
        return await take(said, trust);
    }
  };

  const press = async (pressed: Pressed): Promise<void> => {
    const [, what = "", id = ""] = /^(yes|no|all|again) (.+)$/.exec(pressed.data) ?? [];
    const session = await sessionOf(pressed.place, "go_on");
    const conversation = keep(session, pressed.place);
    const isHere =
      conversation.asks(id) || before.get(session)?.open.some(({ item }) => item === itemIds.question(id));
    if (what === "again") return await showAgain(pressed, session, conversation, id);
    const isOver = async (): Promise<void> => {
      const message = { runs: plainText("This was already answered.") };
      await app.edit(pressed.place, pressed.ref, message, until).catch(() => undefined);
      await pressed.tell("It was already answered.");
    };
    // A question of another place, another person or another session is not answered from here.
    const approval = isHere === true ? (await pending()).find((one) => one.id === id) : undefined;
    if (approval === undefined) return await isOver();
    conversation.isShownAt(id, pressed.ref);
    if (what === "all") {
      conversation.finish(`details ${id}`, wholeCard(approval));
      return await pressed.tell("All of it comes below.");
    }
    const by = `${channel}:${pressed.by.id}`;
    try {
      const params = { approvalId: approval.id, by };
      if (what === "yes") await door.call("exec.approve", params, safely, until);
      else await door.call("exec.deny", params, safely, until);
      await pressed.tell(what === "yes" ? "Approved" : "Denied");
    } catch (error) {
      if (!(error instanceof ClientError) || error.code === "daemon_gone") throw error;
      await pressed.tell(error.code === "already_decided" ? "It was already answered." : error.message);
    }
  };

  /** What may not have arrived, from the session itself. */
  const showAgain = async (
    { place, ref, tell: answer }: Pressed,
    session: SessionId,
    conversation: KeptConversation,
    wanted: string,
  ): Promise<void> => {
    const item = await findItem(session, wanted);
    if (item === undefined) return await answer("It is not there any more.");
    if (item.state === "open") conversation.show(item.id, item.message);
    else {
      await app.edit(place, ref, { runs: plainText("Shown again below.") }, until).catch(() => undefined);
      conversation.finish(`again ${ref}`, item.message);
    }
    await answer("Here it is.");
  };
  const findItem = async (stream: SessionId, wanted: string): Promise<Item | undefined> => {
    let earlier: number | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const params = { stream, limit: PAGE_EVENTS, ...(earlier === undefined ? {} : { before: earlier }) };
      const { events, hasMore } = await door.call("events.page", params, safely, until);
      const items = events.flatMap((event) => itemsOf(event as StoredEvent, channel));
      const found = items.find(({ id }) => id === wanted);
      earlier = events[0]?.seq;
      if (found !== undefined || !hasMore || earlier === undefined) return found;
    }
    return undefined;
  };

  const hear = async (heard: Heard): Promise<void> => {
    const admission = await doorkeeper.admit(heard, until);
    if (admission.kind === "stranger") {
      if (admission.tell !== undefined) await line(heard.place, admission.tell, heard.id);
      return;
    }
    if (admission.kind === "paired")
      return await line(heard.place, `You are paired with Deputy now. ${HELP}`, heard.id);
    if (heard.kind === "pressed") {
      if (admission.kind === "guest") return await heard.tell("Only the owner can answer.");
      return await press(heard);
    }
    await obey(heard, admission.kind === "user" ? "user" : "untrusted");
  };

  /** What cannot be taken, whatever it is, must not keep everything behind it from being heard. */
  const takeIn = async (heard: Heard): Promise<void> => {
    try {
      await hear(heard);
    } catch (error) {
      if (until.aborted || (error instanceof ClientError && error.code === "daemon_gone")) throw error;
      tell(`${channel}: something that was said could not be taken: ${reasonOf(error)}`);
      await line(
        heard.place,
        "That could not be taken. Say it again, or in another way.",
        `${heard.id} not taken`,
      );
    }
  };

  const pending = async (): Promise<readonly PendingApproval[]> =>
    (await door.call("exec.pending", {}, safely, until)).approvals;

  const watch = async (): Promise<void> => {
    for await (const changed of door.changes(until)) {
      if (changed === "all") {
        await refresh();
        await lookAt("all");
      } else if (changed.sessions.length > 0) await lookAt(changed.sessions);
    }
  };
  // Before anything is heard it must be known what is shown already, or it would be shown again.
  await always(() => refresh());
  group.spawn(() => always(watch));
  await app.receive(takeIn, until);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function wholeCard({ id, toolPath, input, preview, card }: PendingApproval): Message {
  const lines = cardLines(card ?? projectCard({ toolPath, input, preview }, "whole"));
  return {
    runs: [{ text: lines.map((each) => each.text).join("\n"), styles: [{ kind: "block", language: "" }] }],
    buttons: questionButtons(id).filter(({ kind }) => kind !== "more"),
  };
}
