import { ClientError } from "@deputy/client";
import { type Clock, isAbort, openTaskGroup, retry, type SessionId, span } from "@deputy/kit";
import { createQuestions } from "./answer-questions.ts";
import { attachFiles } from "./attach-files.ts";
import { ChannelsError } from "./channels-error.ts";
import type { ChatApp, Heard, Said } from "./chat-app.ts";
import { createConversations, type Conversations } from "./conversation/conversations.ts";
import type { Door } from "./door.ts";
import { type Allowed, createDoorkeeper } from "./people/doorkeeper.ts";
import { waitingRuns } from "./waiting-runs.ts";
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

const MOST_LOOKERS = 50;
const ATTEMPTS = Number.POSITIVE_INFINITY;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;

const HELP =
  "Say what you want done. /new begins a new conversation, /stop stops what is being done, and questions come with buttons.";

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
  /** The daemon may be away for a while. */
  const always = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const policy = { attempts: ATTEMPTS, baseMs: FIRST_WAIT_MS, maxMs: LONGEST_WAIT_MS };
    return retry({ clock }, { ...policy, retryable: (error) => !isAbort(error) }, until, work);
  };
  const conversations: Conversations = createConversations({ app, door, clock, group, always, tell });
  const questions = createQuestions({ app, door }, until);
  /** Conversations of which it is known that they are the owner's. */
  const homes = new Set<SessionId>();

  const doorkeeper = createDoorkeeper({
    allowed: options.allowed,
    paired: async (by) => (await door.call("channels.people", { channel }, safely, by)).people,
    pair: async ({ id, name }, code, by) => {
      const person = { id, name: name.slice(0, 200) };
      return (await door.call("channels.pair", { channel, person, code }, safely, by)).paired;
    },
  });

  /** In a place where nobody else reads along, the user is told what happens without being asked. */
  const sessionOf = async (
    { place, group: shared, by }: Heard,
    existing: "go_on" | "leave",
    trust: "user" | "untrusted",
  ): Promise<SessionId> => {
    const params = { key: `${channel}--${place}`, channel, existing };
    const how = existing === "go_on" ? safely : "once";
    const { sessionId: session } = await door.call("sessions.create", params, how, until);
    if (trust !== "user" || shared !== undefined || homes.has(session)) return session;
    await door.call("channels.home", { channel, person: by.id, session }, safely, until);
    homes.add(session);
    await conversations.refresh(session);
    return session;
  };

  const line = async (place: string, text: string, key: string): Promise<void> => {
    await app.post(place, { runs: plainText(text) }, key, until).catch((error: unknown) => {
      // It is only a courtesy.
      if (!(error instanceof ChannelsError)) throw error;
    });
  };

  const take = async (said: Said, trust: "user" | "untrusted"): Promise<void> => {
    const session = await sessionOf(said, "go_on", trust);
    const { maxFileBytes } = options;
    const refused = (name: string, why: string): Promise<void> =>
      line(said.place, `“${name}” could not be taken along: ${why}.`, `${said.id} ${name}`);
    const attachments = await attachFiles({ door, maxFileBytes, refused }, said, until);
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
    conversations.keep(session, said.place);
  };

  const whereOf = async (heard: Heard) => {
    const session = await sessionOf(heard, "go_on", "user");
    const conversation = conversations.keep(session, heard.place);
    return { session, conversation, open: conversations.openBefore(session) };
  };

  const obey = async (said: Said, trust: "user" | "untrusted"): Promise<void> => {
    const [word = ""] = said.text.trim().toLowerCase().split(/[\s@]/, 1);
    switch (word) {
      case "/start":
      case "/help":
        return await line(said.place, HELP, said.id);
      case "/new":
        await sessionOf(said, "leave", trust);
        return await line(said.place, "A new conversation. The earlier one stays on the page.", said.id);
      case "/stop": {
        const running = conversations.running(await sessionOf(said, "go_on", trust));
        if (running.length === 0) return await line(said.place, "Nothing is being done.", said.id);
        for (const runId of running) await door.call("chat.abort", { runId }, safely, until);
        return;
      }
      default: {
        const isDenial = trust === "user" && said.answers !== undefined;
        if (isDenial && (await questions.denyByReply(said, await whereOf(said)))) return;
        return await take(said, trust);
      }
    }
  };

  /** Those of the owner's who look at the app's page about Deputy: it is kept up to date. */
  const lookers = new Set<string>();
  const showWaiting = async (person: string, as: "user" | "guest" | "paired"): Promise<void> => {
    if (app.showHome === undefined) return;
    if (as === "guest") return await app.showHome(person, { runs: plainText(HELP) }, until);
    lookers.add(person);
    const [oldest] = lookers;
    if (oldest !== undefined && lookers.size > MOST_LOOKERS) lookers.delete(oldest);
    const { approvals } = await door.call("exec.pending", {}, safely, until);
    await app.showHome(person, { runs: waitingRuns(approvals) }, until);
  };

  const hear = async (happened: Heard): Promise<void> => {
    const admission = await doorkeeper.admit(happened, until);
    if (admission.kind === "stranger") {
      if (admission.tell !== undefined) await line(happened.place, admission.tell, happened.id);
      return;
    }
    const open = happened.kind === "said" ? happened.open : undefined;
    const heard = open === undefined ? happened : { ...happened, place: await open(until) };
    if (admission.kind === "paired") {
      await sessionOf(heard, "go_on", "user");
      return await line(heard.place, `You are paired with Deputy now. ${HELP}`, heard.id);
    }
    if (heard.kind === "looked") return await showWaiting(heard.by.id, admission.kind);
    if (heard.kind === "pressed") {
      if (admission.kind === "guest") return await heard.tell("Only the owner can answer.");
      return await questions.press(heard, await whereOf(heard));
    }
    await obey(heard, admission.kind === "user" ? "user" : "untrusted");
  };

  /** What cannot be taken, whatever it is, must not keep everything behind it from being heard. */
  const takeIn = async (heard: Heard): Promise<void> => {
    try {
      await span("channel.hear", { "deputy.channel": channel, "deputy.kind": heard.kind }, () => hear(heard));
    } catch (error) {
      if (until.aborted || (error instanceof ClientError && error.code === "daemon_gone")) throw error;
      tell(
        `${channel}: something that was said could not be taken: ${error instanceof Error ? error.message : String(error)}`,
      );
      const sorry = "That could not be taken. Say it again, or in another way.";
      await line(heard.place, sorry, `${heard.id} not taken`);
    }
  };

  const watch = async (): Promise<void> => {
    for await (const changed of door.changes(until)) {
      if (changed === "all" || changed.channels) {
        homes.clear();
        await conversations.refresh();
        await conversations.catchUp();
      }
      if (changed === "all") await conversations.lookAt("all");
      else if (changed.sessions.length > 0) await conversations.lookAt(changed.sessions);
      if (changed !== "all" && !changed.approvals) continue;
      await conversations.settle();
      if (lookers.size === 0) continue;
      const { people } = await door.call("channels.people", { channel }, safely, until);
      const known = new Set([...options.allowed.people, ...people.map(({ id }) => id)]);
      for (const person of lookers)
        if (!known.has(person)) lookers.delete(person);
        // It is only a courtesy: it is right again when they look the next time.
        else await showWaiting(person, "user").catch(ignoreRefusal);
    }
  };
  // Before anything is heard it must be known what is shown already, or it would be shown again.
  const { people } = options.allowed;
  await always(() => door.call("channels.keep", { channel, people: [...people] }, safely, until));
  await always(() => conversations.refresh());
  group.spawn(() => always(watch));
  await app.receive(takeIn, until);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ChannelsError)) throw error;
}
