import { createLogView, type LogView } from "@deputy/agent";
import { type Clock, createKeyedLane, type SessionId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, NewEvent } from "@deputy/protocol";
import type { ChannelPerson, Channels, Progress } from "./channels.ts";

const CODE_MS = 10 * 60_000;
/** With 40 bits, five guesses are nothing. */
const MOST_GUESSES = 5;
const MOST_WAITING = 10_000;
/** Of older ones it is forgotten what was shown. */
const MOST_CONVERSATIONS = 50_000;
const MOST_PEOPLE = 1_000;
/** In each conversation. */
const MOST_FAILED = 100;

/** Crockford's digits: none looks like another. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 8;

/** Channels over the event log. */
export function createLogChannels(deps: {
  readonly log: EventLog;
  readonly clock: Pick<Clock, "now">;
  /** Unpredictable bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** In hexadecimal. */
  readonly sha256: (text: string) => string;
}): Channels {
  const { log, clock } = deps;
  const view = openChannelsView(log);
  const lane = createKeyedLane<string>({ maxWaiting: MOST_WAITING });
  const never = new AbortController().signal;
  /** Wrong guesses at the current code. A restart forgets them, and they cost that time. */
  const guesses = new Map<string, number>();

  const write = (event: NewEvent): Promise<unknown> => log.append("system", [event]);
  const stateOf = async (channel: string): Promise<ChannelState | undefined> =>
    (await view.current()).state.get(channel);
  const inOrder = <Value>(channel: string, work: () => Promise<Value>): Promise<Value> =>
    lane.run(channel, never, work);

  return {
    issueCode: (channel) =>
      inOrder(channel, async () => {
        const code = [...deps.randomBytes(CODE_LENGTH)].map((byte) => DIGITS[byte % DIGITS.length]).join("");
        const expiresAt = new Date(clock.now() + CODE_MS).toISOString();
        await write({ type: "channel.code", data: { channel, hash: deps.sha256(code), expiresAt } });
        guesses.delete(channel);
        return { code: `${code.slice(0, 4)}-${code.slice(4)}`, expiresAt };
      }),
    pair: (channel, { id, name }, said) =>
      inOrder(channel, async () => {
        const current = (await stateOf(channel))?.code;
        if (current === undefined || clock.now() >= Date.parse(current.expiresAt)) return "wrong";
        const guessed = guesses.get(channel) ?? 0;
        if (guessed >= MOST_GUESSES) return "wrong";
        const hash = deps.sha256(readCode(said));
        if (hash !== current.hash) {
          guesses.set(channel, guessed + 1);
          return "wrong";
        }
        await write({
          type: "channel.paired",
          data: { channel, person: id, name: name.slice(0, 200), hash },
        });
        return "paired";
      }),
    unpair: (channel, person) =>
      inOrder(channel, async () => {
        if ((await stateOf(channel))?.people.has(person) !== true) return false;
        await write({ type: "channel.unpaired", data: { channel, person } });
        return true;
      }),
    async people(channel) {
      return [...((await stateOf(channel))?.people ?? [])].map(([id, name]): ChannelPerson => ({ id, name }));
    },
    home: ({ channel, person, session }) =>
      inOrder(channel, async () => {
        if ((await stateOf(channel))?.conversations.get(session)?.home === person) return;
        await write({ type: "channel.home", data: { channel, person, session } });
      }),
    keepOnly: (channel, people) =>
      inOrder(channel, async () => {
        const state = await stateOf(channel);
        const homes = [...(state?.conversations.values() ?? [])].flatMap(({ home = [] }) => home);
        const known = new Set([...people, ...(state?.people.keys() ?? [])]);
        for (const person of new Set(homes))
          if (!known.has(person)) await write({ type: "channel.unpaired", data: { channel, person } });
      }),
    async failed(channel) {
      const all = [...((await stateOf(channel))?.conversations ?? [])];
      return all
        .flatMap(([session, { failed }]) =>
          [...failed].map(([item, { reason, at }]) => ({ session, item, reason, at })),
        )
        .toSorted((a, b) => b.at.localeCompare(a.at));
    },
    retry: (channel) =>
      inOrder(channel, async () => {
        const all = [...((await stateOf(channel))?.conversations ?? [])].flatMap(([session, { failed }]) =>
          [...failed.keys()].map((item) => ({ session, item })),
        );
        for (const { session, item } of all)
          await write({ type: "channel.again", data: { channel, session, item } });
        return all.length;
      }),
    async posting({ channel, session, item, part }) {
      await write({ type: "channel.posting", data: { channel, session, item, part } });
    },
    async posted({ channel, session, item, part, ref }) {
      await write({ type: "channel.posted", data: { channel, session, item, part, ref } });
    },
    async shown(what) {
      await write({ type: "channel.shown", data: { ...what } });
    },
    async progress(channel, only) {
      const all = (await stateOf(channel))?.conversations ?? new Map<SessionId, Conversation>();
      const one = only === undefined ? undefined : all.get(only);
      const conversations = only === undefined ? [...all] : one === undefined ? [] : [[only, one] as const];
      return conversations.map(([session, { through, open, again, isClosed }]): Progress => ({
        session,
        through,
        again: [...again],
        isClosed,
        open: [...open.values()].map(({ item, part, ref }) =>
          ref === undefined ? { item, part } : { item, part, ref },
        ),
      }));
    },
  };
}

/** As people type it: small letters, with or without the dash, and the letters that look like digits. */
function readCode(said: string): string {
  return said
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}

interface Conversation {
  through: number;
  /** By item and part. */
  readonly open: Map<string, { readonly item: string; readonly part: number; readonly ref?: string }>;
  /** What was given up, by item, the newest last. */
  readonly failed: Map<string, { readonly reason: string; readonly at: string }>;
  readonly again: Set<string>;
  /** The person as whom the owner alone reads along. */
  home?: string;
  isClosed: boolean;
}

interface ChannelState {
  code: { readonly hash: string; readonly expiresAt: string } | undefined;
  /** Names by id. */
  readonly people: Map<string, string>;
  /** The one in which something was shown last is at the end. */
  readonly conversations: Map<SessionId, Conversation>;
}

function openChannelsView(log: EventLog): LogView<Map<string, ChannelState>> {
  return createLogView(
    log,
    [
      "channel.code",
      "channel.paired",
      "channel.unpaired",
      "channel.posting",
      "channel.posted",
      "channel.shown",
      "channel.home",
      "channel.again",
    ],
    new Map<string, ChannelState>(),
    apply,
    { name: "channels 2" },
  );
}

function apply(channels: Map<string, ChannelState>, event: CanonicalEvent): void {
  switch (event.type) {
    case "channel.code": {
      const { channel, hash, expiresAt } = event.data;
      stateIn(channels, channel).code = { hash, expiresAt };
      break;
    }
    case "channel.paired": {
      const { channel, person, name } = event.data;
      const state = stateIn(channels, channel);
      state.code = undefined;
      if (state.people.size < MOST_PEOPLE || state.people.has(person)) state.people.set(person, name);
      break;
    }
    case "channel.unpaired": {
      const { channel, person } = event.data;
      const { people, conversations } = stateIn(channels, channel);
      people.delete(person);
      for (const conversation of conversations.values())
        if (conversation.home === person) {
          delete conversation.home;
          conversation.isClosed = true;
        }
      break;
    }
    case "channel.home": {
      const { channel, person, session } = event.data;
      const conversation = conversationIn(channels, channel, session);
      conversation.home = person;
      conversation.isClosed = false;
      break;
    }
    case "channel.again": {
      const { channel, session, item } = event.data;
      const { failed, again } = conversationIn(channels, channel, session);
      if (failed.delete(item)) again.add(item);
      break;
    }
    case "channel.posting":
    case "channel.posted": {
      const { channel, session, item, part } = event.data;
      const ref = event.type === "channel.posted" ? { ref: event.data.ref } : {};
      const { open, again } = conversationIn(channels, channel, session);
      open.set(`${item}/${part}`, { item, part, ...ref });
      again.delete(item);
      break;
    }
    case "channel.shown": {
      const { channel, session, item, through, failed: reason } = event.data;
      const conversation = conversationIn(channels, channel, session);
      conversation.through = Math.max(conversation.through, through ?? 0);
      for (const [key, open] of conversation.open) if (open.item === item) conversation.open.delete(key);
      if (item !== undefined) {
        conversation.again.delete(item);
        conversation.failed.delete(item);
        if (reason !== undefined) conversation.failed.set(item, { reason, at: event.at });
        const [oldest] = conversation.failed.keys();
        if (conversation.failed.size > MOST_FAILED && oldest !== undefined)
          conversation.failed.delete(oldest);
      }
      break;
    }
    default:
  }
}

function stateIn(channels: Map<string, ChannelState>, channel: string): ChannelState {
  const found = channels.get(channel);
  if (found !== undefined) return found;
  const state: ChannelState = { code: undefined, people: new Map(), conversations: new Map() };
  channels.set(channel, state);
  return state;
}

function conversationIn(
  channels: Map<string, ChannelState>,
  channel: string,
  session: SessionId,
): Conversation {
  const { conversations } = stateIn(channels, channel);
  const conversation: Conversation = conversations.get(session) ?? {
    through: 0,
    open: new Map(),
    failed: new Map(),
    again: new Set(),
    isClosed: false,
  };
  conversations.delete(session);
  conversations.set(session, conversation);
  const [oldest] = conversations.keys();
  if (conversations.size > MOST_CONVERSATIONS && oldest !== undefined) conversations.delete(oldest);
  return conversation;
}
