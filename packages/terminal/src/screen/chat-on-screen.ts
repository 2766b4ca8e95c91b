import { Console } from "node:console";
import { Writable } from "node:stream";
import { stoppedBy } from "@deputy/agent";
import { isAbort } from "@deputy/kit";
import { type Chat, createChat } from "../chat/chat.ts";
import type { ChatSetting } from "../chat/chat-setting.ts";
import type { ChatView } from "../chat/chat-view.ts";
import { chooseStyles } from "../show/styles.ts";
import { createChatDocument } from "./chat-document.ts";
import { type CallChooser, type ChooseKey, createCallChooser } from "./choose-calls.ts";
import { openScreen, type Screen } from "./screen.ts";

const TICK_MS = 1_000;

/** What Tab was asked for and is being looked up. */
interface Completing {
  readonly draft: string;
  readonly completed: Promise<string>;
}

/** A chat that is drawn: text as it is written, an input that stays at the bottom. Until the person leaves. */
export async function chatOnScreen(setting: ChatSetting): Promise<void> {
  const { host, clock, env, signal } = setting;
  const leaving = new AbortController();
  const over = AbortSignal.any([signal, leaving.signal]);
  const styles = chooseStyles(env);
  /** Nothing until there is one. */
  const on: { screen?: Screen } = {};
  /** What was being typed when a question came. */
  let aside: string | undefined;

  let chooser: CallChooser | undefined;
  const document = createChatDocument({
    styles,
    now: () => clock.now(),
    chat: () => talking,
    chooser: () => (chooser?.id === talking.question()?.id ? chooser : undefined),
  });
  const view: ChatView = {
    begin: document.begin,
    item(item, blocks, when) {
      document.item(item, blocks, when);
      for (const block of blocks) if (block.kind === "user") on.screen?.remember(block.text);
    },
    notice: (text) => {
      document.add({ kind: "note", text });
      on.screen?.refresh();
    },
    refresh() {
      setDraftAside();
      on.screen?.refresh();
    },
    asks(lines) {
      document.add({ kind: "asks", lines });
      on.screen?.refresh();
    },
    details(request) {
      document.add({ kind: "approval", request, details: "whole" });
      on.screen?.refresh();
    },
    toggleDetails() {
      document.toggleDetails();
      on.screen?.redrawAll();
    },
  };
  const setDraftAside = (): void => {
    const { screen } = on;
    if (screen === undefined) return;
    const isAsking = talking.question() !== undefined;
    if (isAsking && aside === undefined) {
      aside = screen.draft();
      if (aside !== "") screen.setDraft("");
    } else if (!isAsking && aside !== undefined) {
      if (aside !== "" && screen.draft() === "") screen.setDraft(aside);
      aside = undefined;
    }
  };
  let completing: Completing | undefined;
  /** What was typed on meanwhile comes after it. */
  const complete = (): void => {
    const draft = on.screen?.draft() ?? "";
    const one: Completing = { draft, completed: talking.complete(draft, over) };
    completing = one;
    const done = one.completed.then((completed) => {
      if (completing !== one) return;
      completing = undefined;
      const now = on.screen?.draft() ?? "";
      if (completed !== draft && now.startsWith(draft))
        on.screen?.setDraft(completed + now.slice(draft.length));
    });
    done.catch((error: unknown) => !(over.aborted && isAbort(error)) && failure.reject(error));
  };
  /** Up and down begin to choose among the calls of a plan that is asked about. */
  const choose = (key: ChooseKey): boolean => {
    const question = talking.question();
    const current = chooser?.id === question?.id ? chooser : undefined;
    if (current === undefined) {
      chooser = question && (key === "up" || key === "down") ? createCallChooser(question) : undefined;
      return chooser !== undefined;
    }
    const answer = current.answer();
    if (key === "leave") chooser = undefined;
    else if (key !== "enter") current.press(key);
    else if (answer !== undefined) submit(answer);
    return key !== "leave";
  };
  /** Enter right behind Tab sends what Tab makes of it. */
  const submitWhole = async (text: string): ReturnType<Chat["submit"]> => {
    const one = completing;
    completing = undefined;
    if (one === undefined || !text.startsWith(one.draft)) return await talking.submit(text, over);
    const whole = (await one.completed) + text.slice(one.draft.length);
    return await talking.submit(whole.trimEnd(), over);
  };
  const submit = (text: string): void => {
    const sent = completing === undefined ? talking.submit(text, over) : submitWhole(text);
    const done = sent.then((outcome) => {
      if (outcome === "leave") leave();
      else if (outcome === "not_taken" && on.screen?.draft() === "") on.screen.setDraft(text);
    });
    done.catch((error: unknown) => !(over.aborted && isAbort(error)) && failure.reject(error));
  };
  const leave = (): void => leaving.abort();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);

  using _console = captureConsole((text) => view.notice(text));
  using _warnings = setting.listen((text) => view.notice(text));
  const talking = createChat({ host, clock, view, commands: setting.commands }, setting.first);
  document.add({ kind: "note", text: "Deputy. Say what you want; /help shows the commands." });
  using opened = openScreen({
    document,
    borderStyle: styles.soft,
    onSubmit: submit,
    onChoose(key) {
      const isTaken = choose(key);
      opened.refresh();
      return isTaken;
    },
    onKey(key) {
      if (key === "complete") complete();
      else if (key === "details") view.toggleDetails();
      else if (key === "interrupt" && !talking.isBusy() && opened.draft() !== "") opened.setDraft("");
      else if (key === "end" || talking.interrupt() === "leave") leave();
      opened.refresh();
    },
  });
  on.screen = opened;
  using _interrupts = setting.intercept(() => (talking.interrupt() === "leave" ? "leave" : "handled"));
  const tick = setInterval(() => talking.isBusy() && opened.refresh(), TICK_MS);
  try {
    await Promise.race([talking.follow(over), failure.promise]);
  } finally {
    clearInterval(tick);
    leaving.abort();
    if (talking.isBusy()) document.add({ kind: "note", text: "Leaving…" });
    await talking.end(signal.aborted ? stoppedBy(signal) : "user");
  }
}

/** What a plugin prints goes to `tell`, line by line, while the terminal is drawn on; until it is disposed. */
function captureConsole(tell: (line: string) => void): Disposable {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      tell(chunk.toString().trimEnd());
      done();
    },
  });
  Object.assign(console, new Console(sink, sink));
  return {
    [Symbol.dispose]: () => void Object.assign(console, new Console(process.stderr, process.stderr)),
  };
}
