import { type Clock, isAbort, type SessionId, throwIfAborted, type TurnId, untilStopped } from "@deputy/kit";
import {
  type ApprovalId,
  approvalIdSchema,
  type EventData,
  isTurnEndType,
  type PendingApproval,
  readEvent,
  readNote,
  type StoredEvent,
} from "@deputy/protocol";
import type { ChatApp } from "../chat-app.ts";
import type { Door } from "../door.ts";
import { plainText, styledText } from "../text/styled-text.ts";
import { createPoster, type Journal, type OpenPost } from "./poster.ts";
import {
  type Decided,
  decidedMessage,
  itemIds,
  itemsOf,
  questionButtons,
  questionRuns,
  type Shown,
} from "./session-items.ts";

/** One conversation of an app: what happens in its session is shown in its place, as it happens. */
export interface KeptConversation {
  readonly session: SessionId;
  /** True if a question with that id is shown here and waits. */
  asks(approvalId: string): boolean;
  /** A question is shown by this message, as its button has told. */
  isShownAt(approvalId: string, ref: string): void;
  /** The turns that are going on. */
  running(): readonly TurnId[];
  /** Shows something that is not of the session itself, such as a task's question. */
  show(item: string, message: Shown): void;
  /** As `show`, for the last time. */
  finish(item: string, message: Shown): void;
  /** The question that this message shows, if it still waits. */
  questionAt(ref: string): string | undefined;
  /** Brings questions up to date that were asked elsewhere and are answered now. */
  settle(): void;
  /** Nothing more is shown here, from now on. */
  stop(): void;
  /** Resolves once everything that was to be shown is; then the conversation is at rest and was let go. */
  readonly ended: Promise<void>;
}

const TYPING_AFTER_MS = 1_000;
const TYPING_EVERY_MS = 4_000;
/** A conversation in which nothing happens is let go; what happens next takes it up again. */
const REST_MS = 30_000;
const PAGE_EVENTS = 500;
const MOST_PAGES = 20;

type Question = Parameters<typeof decidedMessage>[0];

interface Job {
  readonly item: string;
  readonly message: Shown;
  readonly state: "growing" | "open" | "final";
  /** Finds out at its time what is to be shown; nothing for undefined. */
  readonly prepare?: () => Promise<Shown | undefined>;
  /** The event after whose job everything up to it is shown. */
  readonly through?: number;
  /** Other items of the same event follow: once all are shown, all are noted. */
  readonly isFollowed?: true;
}

/** Something that happens in another order than the session's; it shows nothing by itself. */
const NOTHING = { item: "", message: { runs: [] }, state: "final" } as const;

export function keepConversation(
  deps: {
    readonly app: ChatApp;
    readonly door: Door;
    readonly clock: Clock;
    readonly session: SessionId;
    readonly place: string;
    readonly through: number;
    readonly open: readonly OpenPost[];
  },
  signal: AbortSignal,
): KeptConversation {
  const { app, door, clock, session, place } = deps;
  const { name: channel } = app;
  const how = app.edit === undefined ? "after" : "in_place";
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const call = { channel, session };
  const journal: Journal = {
    posting: async (item, part) =>
      void (await door.call("channels.posting", { ...call, item, part }, "safe_to_repeat", until)),
    posted: async (item, part, ref) =>
      void (await door.call("channels.posted", { ...call, item, part, ref }, "safe_to_repeat", until)),
    shown: async (what) =>
      void (await door.call("channels.shown", { ...call, ...what }, "safe_to_repeat", until)),
  };
  const poster = createPoster({ app, door, place, session, journal, open: deps.open, clock });
  /** Questions that were asked, for the time of their answer. */
  const asked = new Map<string, EventData<"approval.requested">>();
  /** Those of tasks, which wait in sessions of their own. */
  const askedElsewhere = new Map<string, PendingApproval>();
  /** Questions whose last state is on its way. */
  const decided = new Set<string>();
  /** The question that the next note speaks of. */
  let announced: ApprovalId | undefined;
  /** The text of answers that are still being written. */
  const growing = new Map<string, string>();
  /** Answers that were begun and have no end yet: those of an earlier process, too. */
  const begun = new Set(
    deps.open.map(({ item }) => item).filter((item) => item.startsWith(itemIds.answer(""))),
  );
  const openTurns = new Set<TurnId>();
  const jobs: Job[] = [];
  let moved = Promise.withResolvers<void>();
  let head = Number.POSITIVE_INFINITY;
  let seen = deps.through;
  /** Everything up to this event was noted as shown. */
  let noted = deps.through;

  const wake = (): void => {
    moved.resolve();
    moved = Promise.withResolvers();
  };
  /** Of an answer that grows, only the newest state is worth showing. */
  const add = (job: Job): void => {
    const waiting = jobs.findIndex(({ item, state }) => item === job.item && state === "growing");
    if (waiting !== -1) jobs.splice(waiting, 1);
    jobs.push(job);
    wake();
  };

  const take = (stored: StoredEvent): void => {
    const { seq, turnId, type } = stored;
    if (turnId !== undefined) {
      if (isTurnEndType(type)) openTurns.delete(turnId);
      else openTurns.add(turnId);
    }
    const read = readEvent(stored);
    if (read.kind !== "known") return;
    const { event } = read;
    if (event.type === "approval.requested") asked.set(event.data.approvalId, event.data);
    if (event.type === "assistant.message") {
      growing.delete(event.data.itemId);
      begun.delete(itemIds.answer(event.data.itemId));
    }
    if (isTurnEndType(type)) endInterrupted();
    if (event.type === "outbox.queued") announced = event.data.asks;
    const note = event.type === "user.message" ? readNote(event.data) : undefined;
    if (note !== undefined && announced !== undefined) {
      const id = announced;
      announced = undefined;
      const prepare = () => questionElsewhere(id, note.from);
      add({ ...NOTHING, item: itemIds.question(id), state: "open", prepare });
      markThrough(seq);
      return;
    }
    const items = itemsOf(stored, channel);
    for (const [nth, { id, message, state }] of items.entries())
      add({ item: id, message, state, ...(nth < items.length - 1 && { isFollowed: true }) });
    if (event.type === "approval.resolved") {
      const { approvalId } = event.data;
      decide(approvalId, asked.get(approvalId), event.data);
      asked.delete(approvalId);
    }
    if (items.length > 0 || isTurnEndType(type) || type === "approval.resolved") markThrough(seq);
  };
  /** The card says how it was answered, and so does all of it, if somebody wanted to see that. */
  const decide = (id: string, question: Question, outcome: Decided): void => {
    const [card, details] = [itemIds.question(id), itemIds.details(id)];
    decided.add(card);
    if (poster.isOpen(card) || question !== undefined)
      add({ item: card, message: decidedMessage(question, outcome, how), state: "final" });
    if (poster.isOpen(details))
      add({ item: details, message: decidedMessage(question, outcome, how, "whole"), state: "final" });
  };
  /** A task's question; nothing if it is answered by now. */
  const questionElsewhere = async (id: ApprovalId, from: string): Promise<Shown | undefined> => {
    const { approvals } = await door.call("exec.pending", {}, "safe_to_repeat", until);
    const found = approvals.find((one) => one.id === id);
    if (found === undefined) return undefined;
    askedElsewhere.set(id, found);
    return { runs: [...plainText(`${from} asks:\n`), ...questionRuns(found)], buttons: questionButtons(id) };
  };
  const settleElsewhere = async (): Promise<undefined> => {
    await foundAsked.promise;
    for (const item of poster.open().keys()) {
      const id = approvalIdSchema.safeParse(item.slice(itemIds.question("").length)).data;
      if (!item.startsWith(itemIds.question("")) || id === undefined) continue;
      if (asked.has(id) || decided.has(item)) continue;
      const { answer } = await door.call("exec.answer", { approvalId: id }, "safe_to_repeat", until);
      if (answer === undefined) continue;
      decide(id, askedElsewhere.get(id), answer);
      askedElsewhere.delete(id);
    }
    return undefined;
  };
  /** What was begun has no end in this turn; an answer that broke off with Deputy was written anew, as another one. */
  const endInterrupted = (): void => {
    for (const item of begun) {
      const text = growing.get(item.slice(itemIds.answer("").length));
      const runs = text === undefined ? plainText("(interrupted)") : styledText(`${text}\n\n(interrupted)`);
      if (poster.isOpen(item) || text !== undefined) add({ item, message: { runs }, state: "final" });
    }
    begun.clear();
    growing.clear();
  };
  /** Once what is waiting now is shown, everything up to this event is. */
  const markThrough = (seq: number): void => {
    const last = jobs.findLastIndex(({ state }) => state !== "growing");
    const job = jobs[last];
    if (job !== undefined) jobs[last] = { ...job, through: seq };
    else jobs.push({ ...NOTHING, through: seq });
    wake();
  };

  /** Questions of before this process, which an answer may still be shown with. */
  const findAsked = async (): Promise<void> => {
    const wanted = new Set(deps.open.flatMap(({ item }) => itemIds.approvalOf(item) ?? []));
    let before: number | undefined;
    for (let page = 0; wanted.size > 0 && page < MOST_PAGES; page++) {
      const params = { stream: session, limit: PAGE_EVENTS, ...(before === undefined ? {} : { before }) };
      const { events, hasMore } = await door.call("events.page", params, "safe_to_repeat", until);
      for (const stored of events) {
        const read = readEvent(stored as StoredEvent);
        if (read.kind !== "known" || read.event.type !== "approval.requested") continue;
        const { data } = read.event;
        if (wanted.delete(data.approvalId)) asked.set(data.approvalId, data);
      }
      before = events[0]?.seq;
      if (!hasMore || before === undefined) return;
    }
  };

  const foundAsked = Promise.withResolvers<void>();
  foundAsked.promise.catch(() => undefined);
  const follow = async (): Promise<void> => {
    await findAsked().then(foundAsked.resolve, (error: unknown) => {
      foundAsked.reject(error);
      throw error;
    });
    for await (const item of door.follow(session, deps.through, until)) {
      if (item.kind === "head") head = item.seq;
      else if (item.kind === "event") {
        take(item.event);
        seen = item.event.seq;
      } else if (openTurns.has(item.delta.turnId) && item.delta.itemType === "message") {
        const { itemId, offset, text } = item.delta;
        const so = (growing.get(itemId) ?? "").slice(0, offset) + text;
        growing.set(itemId, so);
        begun.add(itemIds.answer(itemId));
        if (so.trim() !== "" && app.edit !== undefined)
          add({ item: itemIds.answer(itemId), message: { runs: styledText(`${so} …`) }, state: "growing" });
      }
      wake();
    }
  };

  const showAll = async (): Promise<void> => {
    let lastGrownMs = -Infinity;
    // Of an event that is shown, and the crash came before that was noted of all of it.
    const followed = deps.open
      .map(({ item }) => item)
      .filter((item) => itemIds.eventOf(item) <= deps.through);
    await poster.close(followed.splice(0));
    for (;;) {
      const job = jobs.shift();
      if (job === undefined) {
        const waits = moved.promise;
        if (seen >= head && openTurns.size === 0 && asked.size === 0) {
          const rested = await restOr(waits);
          if (!rested || jobs.length > 0 || openTurns.size > 0) continue;
          // What came since has nothing to show, and would be read again and again.
          if (seen > noted) await journal.shown({ through: seen });
          return;
        } else await untilStopped(waits, until);
        continue;
      }
      if (job.state === "growing") {
        const waitMs = lastGrownMs + app.can.editEveryMs - clock.monotonicMs();
        if (waitMs > 0) await clock.sleep(waitMs, until);
        lastGrownMs = clock.monotonicMs();
        // A newer state, or the end of it, came meanwhile.
        if (jobs.some(({ item }) => item === job.item)) continue;
      }
      const message = job.prepare === undefined ? job.message : await job.prepare();
      const isShown = job.item !== "" && message !== undefined;
      const isLast = isShown && job.state === "final" && job.isFollowed === undefined;
      if (isLast) await poster.finish(job.item, message, until, job.through);
      else if (isShown) await poster.show(job.item, message, until);
      if (isShown && job.isFollowed === true) followed.push(job.item);
      if (job.through === undefined) continue;
      if (!isLast) await journal.shown({ through: job.through });
      noted = job.through;
      await poster.close(followed.splice(0));
    }
  };
  const restOr = async (waits: Promise<void>): Promise<boolean> => {
    const resting = new AbortController();
    const rest = clock.sleep(REST_MS, AbortSignal.any([until, resting.signal])).then(() => true);
    rest.catch(() => undefined);
    try {
      return await Promise.race([rest, untilStopped(waits, until).then(() => false)]);
    } finally {
      // Without a reason, each rest would end with a new error and its stack.
      resting.abort("over");
    }
  };

  const showTyping = async (): Promise<void> => {
    for (;;) {
      const waits = moved.promise;
      if (openTurns.size === 0 || asked.size > 0) {
        await untilStopped(waits, until);
        continue;
      }
      // A short answer needs no sign before it.
      await clock.sleep(TYPING_AFTER_MS, until);
      while (openTurns.size > 0 && asked.size === 0) {
        await app.typing(place, until).catch(() => undefined);
        throwIfAborted(until);
        await clock.sleep(TYPING_EVERY_MS, until);
      }
    }
  };

  const run = async (): Promise<void> => {
    const following = follow().finally(() => over.abort());
    const helpers = Promise.allSettled([following, showTyping()]);
    try {
      await showAll();
    } catch (error) {
      // Why it can be followed no more is the reason, not that this ended the rest.
      if (!signal.aborted && over.signal.aborted) await following;
      throw error;
    } finally {
      over.abort();
      await helpers;
    }
  };

  return {
    session,
    asks: (approvalId) => asked.has(approvalId) || poster.isOpen(itemIds.question(approvalId)),
    isShownAt(approvalId, ref) {
      const [card, details] = [itemIds.question(approvalId), itemIds.details(approvalId)];
      const isCard = poster.open().get(card)?.includes(ref) === true;
      poster.isAt(!isCard && poster.isOpen(details) ? details : card, ref);
    },
    running: () => [...openTurns],
    show(item, message) {
      poster.reveal(item);
      add({ item, message, state: "open" });
    },
    finish: (item, message) => add({ item, message, state: "final" }),
    questionAt(ref) {
      const shown = [...poster.open()].find(([, refs]) => refs.includes(ref));
      return shown === undefined ? undefined : itemIds.approvalOf(shown[0]);
    },
    settle: () => add({ ...NOTHING, prepare: settleElsewhere }),
    stop: () => over.abort(),
    ended: run().catch((error: unknown) => {
      if (!(until.aborted && isAbort(error))) throw error;
    }),
  };
}
