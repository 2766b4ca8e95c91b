import { type Clock, CodedError, isAbort, makeVisible } from "@deputy/kit";
import type { ApprovalAnswer, ApprovalId, LogItem, StandingGrant } from "@deputy/protocol";
import { describeGrant } from "@deputy/protocol/grants";
import type { SlashCommands } from "@deputy/tools";
import { type AnswerReader, createAnswerReader } from "../answer/answer-reader.ts";
import type { ApprovalRequest, LiveState } from "./chat-block.ts";
import { type ChatTranscript, createChatTranscript } from "./chat-transcript.ts";
import type { ChatView } from "./chat-view.ts";
import type { ChatHost, Conversation, OpenedConversation } from "@deputy/client";
import { createInterrupts } from "./interrupts.ts";
import { completeDraft } from "./complete-draft.ts";
import {
  showGrants,
  showHelp,
  showModels,
  showSessions,
  showSpend,
  showTasks,
  showWaiting,
} from "./show-lists.ts";
import { readSlash, type SlashCommand, type SlashRead } from "./slash-command.ts";
import { createSpendMeter, type Spend, type SpendMeter } from "./spend-meter.ts";

/** A person talking in one session at a time. What they see is the view's. */
export interface Chat {
  /** Shows what happens until the signal aborts; rejects when a turn breaks off. */
  follow(signal: AbortSignal): Promise<void>;
  /**
   * A line or more from the person: an answer when a question is open, a command, or a message. `not_taken`: it was
   * refused, and the person has seen why.
   */
  submit(text: string, signal: AbortSignal): Promise<"go_on" | "leave" | "not_taken">;
  /** What Tab makes of a draft; the same draft where there is nothing to complete. Several choices are shown. */
  complete(draft: string, signal: AbortSignal): Promise<string>;
  /** Ctrl-C: once stops the turn, twice leaves. */
  interrupt(): "go_on" | "leave";
  /** The oldest question without an answer. */
  question(): ApprovalRequest | undefined;
  /** What stands before the answer to it; undefined where none is open. */
  asks(): string | undefined;
  /** A line of the answer to it, which may need several. Rejects as `answer`. */
  reply(question: ApprovalRequest, line: string): Promise<void>;
  answer(question: ApprovalRequest, answer: ApprovalAnswer): Promise<void>;
  isBusy(): boolean;
  live(): LiveState;
  spend(): Spend;
  conversation(): Conversation;
  /** Resolves once a question is open, or no turn is under way and all of it was shown. */
  untilYours(signal: AbortSignal): Promise<void>;
  /** The person leaves; see `Conversation.leave`. Says so when a turn continues without them. */
  end(by: string): Promise<void>;
}

export interface ChatDeps {
  readonly host: ChatHost;
  readonly clock: Clock;
  readonly view: ChatView;
  /** The user's own commands, in addition to those of the terminal. */
  readonly commands: SlashCommands;
}

type Effort = NonNullable<Extract<SlashCommand, { readonly name: "effort" }>["effort"]>;

/** The state of the session that is shown. */
interface Shown {
  readonly conversation: Conversation;
  readonly transcript: ChatTranscript;
  readonly meter: SpendMeter;
  readonly left: AbortController;
  /** Questions answered here; that they are is in the log soon. */
  readonly answered: Set<ApprovalId>;
  seq: number;
}

export function createChat(deps: ChatDeps, first: OpenedConversation): Chat {
  const { host, view, clock } = deps;
  const interrupts = createInterrupts(clock);
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  let waiting = Promise.withResolvers<void>();

  const changed = (): void => {
    waiting.resolve();
    waiting = Promise.withResolvers<void>();
    view.refresh();
  };
  const show = (opened: OpenedConversation): Shown => {
    view.begin(opened);
    watch(opened.conversation);
    return {
      conversation: opened.conversation,
      transcript: createChatTranscript(),
      meter: createSpendMeter(),
      left: new AbortController(),
      answered: new Set(),
      seq: 0,
    };
  };
  /** A turn that breaks off without an end in the log is the end of the chat, too. */
  const watch = (conversation: Conversation): void => {
    conversation.idle(new AbortController().signal).then(changed, broken.reject);
  };
  let shown = show(first);
  /** The grants as `/grants` has shown them. */
  let listed: readonly (StandingGrant | undefined)[] | undefined;

  const isBusy = (): boolean => shown.conversation.isBusy();
  const question = (): ApprovalRequest | undefined => {
    const { transcript, answered, seq, conversation } = shown;
    // Until all that was there at the opening is read, a question may be one that was answered long ago.
    if (seq < conversation.openedAtSeq) return undefined;
    return isBusy() ? transcript.questions().find(({ id }) => !answered.has(id)) : undefined;
  };
  const take = (item: LogItem): void => {
    const { conversation, transcript, meter } = shown;
    const blocks = transcript.take(item);
    if (item.kind === "event") {
      meter.take(item.event);
      shown.seq = item.event.seq;
    }
    if (!transcript.hides(item))
      view.item(item, blocks, shown.seq <= conversation.openedAtSeq ? "past" : "now");
    changed();
  };
  const change = (opened: OpenedConversation): void => {
    shown.left.abort();
    listed = undefined;
    shown = show(opened);
    changed();
  };
  const answer = async (asked: ApprovalRequest, given: ApprovalAnswer): Promise<void> => {
    const { answered, conversation } = shown;
    answered.add(asked.id);
    try {
      await conversation.answer(asked.id, given);
    } catch (error) {
      answered.delete(asked.id);
      throw error;
    } finally {
      changed();
    }
  };
  let reader: AnswerReader | undefined;
  const readerOf = (asked: ApprovalRequest): AnswerReader => {
    if (reader?.request.id !== asked.id) reader = createAnswerReader(asked);
    return reader;
  };
  const reply = async (asked: ApprovalRequest, text: string): Promise<void> => {
    const read = readerOf(asked).read(text);
    switch (read.kind) {
      case "answer":
        await answer(asked, read.answer);
        break;
      case "details":
        view.details(asked);
        break;
      case "asks":
        if (read.lines.length > 0) view.asks(read.lines);
        changed();
        break;
      case "no_answer":
        view.notice(read.why ?? "That is no answer to the question. Ctrl-C stops the turn.");
        break;
      default:
        read satisfies never;
    }
  };
  /** A line goes to the values that are filled in, also one that is empty or begins with a slash; commands of the terminal do not. */
  const isFilling = (): boolean => {
    const open = question();
    return open !== undefined && readerOf(open).isFilling();
  };
  const switchTo = async (session: string, signal: AbortSignal): Promise<void> => {
    const opened = await host.open({ session }, signal);
    change(opened);
    // Else a name with a slip in it would look like the session that was meant.
    if (opened.greeting === undefined)
      view.notice(
        `There is no session of that name, so this is a new one: ${opened.conversation.session.key}.`,
      );
  };
  const grantsHere = async (): Promise<readonly StandingGrant[]> =>
    (await host.grants.list()).filter(({ stream }) => stream === shown.conversation.session.id);
  const listGrants = async (): Promise<void> => {
    const grants = await grantsHere();
    listed = grants;
    view.notice(showGrants(grants));
  };
  /** By its number in the list that the person has seen last. */
  const revoke = async (number: number, signal: AbortSignal): Promise<void> => {
    listed ??= await grantsHere();
    const grant = listed[number - 1];
    if (grant === undefined) {
      view.notice(`There is no grant ${number}; /grants lists what there is.`);
      return;
    }
    await host.grants.revoke(grant.id, signal);
    listed = listed.with(number - 1, undefined);
    view.notice(`Revoked: ${describeGrant(grant).title}. The next call asks again.`);
  };
  const showEffort = async (chosen: Effort | null | undefined, signal: AbortSignal): Promise<void> => {
    const { id } = shown.conversation.session;
    if (chosen !== undefined) await host.efforts.choose(id, chosen, signal);
    const effort = chosen === undefined ? await host.efforts.of(id) : chosen;
    const now = effort ?? "what the settings say";
    view.notice(
      chosen === undefined
        ? `The effort of this conversation is ${now}.`
        : `From the next turn on, the effort is ${now}.`,
    );
  };
  const showModel = async (chosen: string | null | undefined, signal: AbortSignal): Promise<void> => {
    const { id } = shown.conversation.session;
    if (chosen !== undefined) await host.models.choose(id, chosen, signal);
    const model = (chosen === undefined ? await host.models.of(id) : chosen) ?? "that of the agent";
    view.notice(
      chosen === undefined
        ? showModels(model, await host.models.choices(signal))
        : `From the next turn on, the model is ${model}.`,
    );
  };
  const complete = async (draft: string, signal: AbortSignal): Promise<string> => {
    const sources = {
      commands: async (until: AbortSignal) => (await deps.commands.list(until)).map(({ name }) => name),
      files: host.files,
      models: host.models.choices,
    };
    try {
      const completed = await completeDraft(draft, sources, signal);
      if (completed === undefined) return draft;
      if (completed.choices.length > 0) view.notice(makeVisible(completed.choices.join("   ")));
      return completed.draft;
    } catch (error) {
      // Typing goes on without it.
      if (isAbort(error) || error instanceof CodedError) return draft;
      throw error;
    }
  };
  const obey = async (command: SlashCommand, signal: AbortSignal): Promise<void> => {
    const { conversation, meter } = shown;
    if ((command.name === "new" || command.name === "switch") && conversation.isBusy()) {
      view.notice("A turn is under way; Ctrl-C stops it.");
      return;
    }
    switch (command.name) {
      case "new":
        change(await host.startAnew(conversation.session));
        view.notice("A new session.");
        break;
      case "switch":
        await switchTo(command.session, signal);
        break;
      case "sessions":
        view.notice(showSessions(await host.list(), conversation.session.id));
        break;
      case "effort":
        await showEffort(command.effort, signal);
        break;
      case "model":
        await showModel(command.model, signal);
        break;
      case "tasks":
        view.notice(showTasks(await host.tasks(signal)));
        break;
      case "approvals":
        view.notice(showWaiting(await host.waiting(signal), conversation.session.id));
        break;
      case "usage":
        view.notice(showSpend(meter.total()));
        break;
      case "grants":
        await listGrants();
        break;
      case "revoke":
        await revoke(command.grant, signal);
        break;
      case "expand":
        view.toggleDetails();
        break;
      case "help":
        view.notice(showHelp(await deps.commands.list(signal)));
        break;
      case "exit":
        break;
      default:
        command satisfies never;
    }
  };

  const say = async (text: string, signal: AbortSignal): Promise<void> => {
    await shown.conversation.say(text, signal);
    watch(shown.conversation);
    changed();
  };
  /** Their own prompt, used by name, is what they say. */
  const sayCommand = async (name: string, args: string, signal: AbortSignal): Promise<void> => {
    const prompt = await deps.commands.expand(name, args, signal);
    if (prompt === undefined) view.notice(`There is no command /${name}; /help shows what there is.`);
    else if (question() !== undefined)
      view.notice("A question is open; answer it first. Ctrl-C stops the turn.");
    else await say(prompt, signal);
  };

  const act = async (text: string, slash: SlashRead, signal: AbortSignal): Promise<void> => {
    const open = question();
    if (slash.kind === "wrong") view.notice(slash.message);
    else if (slash.kind === "command") await obey(slash.command, signal);
    else if (open !== undefined && isFilling()) await reply(open, text);
    else if (slash.kind === "other") await sayCommand(slash.name, slash.args, signal);
    else if (open !== undefined) await reply(open, text);
    else await say(text, signal);
  };

  return {
    async follow(signal) {
      while (!signal.aborted) {
        const { conversation, left } = shown;
        const items = conversation.items(AbortSignal.any([signal, left.signal]));
        const reading = (async () => {
          for await (const item of items) take(item);
        })();
        await Promise.race([reading, broken.promise]);
        // Ended by itself: the log was closed.
        if (!left.signal.aborted) return;
      }
    },
    async submit(text, signal) {
      if (text.trim() === "" && !isFilling()) return "go_on";
      interrupts.forget();
      const slash = readSlash(text);
      if (slash.kind === "command" && slash.command.name === "exit") return "leave";
      try {
        await act(text, slash, signal);
        return "go_on";
      } catch (error) {
        if (isAbort(error) || !(error instanceof CodedError)) throw error;
        view.notice(error.hint === undefined ? error.message : `${error.message}. ${error.hint}`);
        return slash.kind === "message" || slash.kind === "other" ? "not_taken" : "go_on";
      }
    },
    complete,
    interrupt() {
      if (interrupts.press() === "leave") return "leave";
      if (isBusy()) shown.conversation.stop("user");
      view.notice(isBusy() ? "Stopping. Ctrl-C again leaves." : "Ctrl-C again leaves.");
      return "go_on";
    },
    question,
    asks() {
      const open = question();
      return open && readerOf(open).prompt();
    },
    reply,
    answer,
    isBusy,
    live: () => shown.transcript.live(clock.now()),
    spend: () => shown.meter.total(),
    conversation: () => shown.conversation,
    async untilYours(signal) {
      for (;;) {
        signal.throwIfAborted();
        const { promise } = waiting;
        if (question() !== undefined) return;
        if (!isBusy() && shown.seq >= (await shown.conversation.headSeq())) return;
        await Promise.race([promise, broken.promise, aborted(signal)]);
      }
    },
    async end(by) {
      const left = await shown.conversation.leave(by);
      if (left === "goes_on") view.notice("The turn goes on in the daemon; `deputy` comes back to it.");
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
