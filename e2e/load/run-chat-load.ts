import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage, STAGED_APPS, type StagedApp } from "../chat-stage.ts";
import { openPacedModel, type PacedAnswer } from "../paced-model.ts";
import { scratchDirectory, startDaemon, TOKEN } from "../run-deputy.ts";

export interface ChatLoadReport {
  readonly app: StagedApp;
  readonly people: number;
  readonly answered: number;
  /** With how many of the messages the model was shown what was said to others; none with the rehearsal. */
  readonly recalled: number;
  /** Texts that were shown to somebody else than who asked for them. */
  readonly crossed: readonly string[];
  /** The most memory that the daemon had, with everybody talking, and what it had before. */
  readonly peakMb: number;
  readonly idleMb: number;
  /**
   * CPU of the daemon for each message: with everybody talking on the average, what came of that until all was quiet,
   * and afterwards one by one. Means little without a rest before the last.
   */
  readonly cpuMs: {
    readonly together: number;
    readonly after: number;
    readonly median: number;
    readonly p95: number;
  };
  /** Until the first and the last were answered, and until the one was who said ten things. */
  readonly seconds: { readonly first: number; readonly last: number; readonly chatty: number };
}

const CHATTY = 10;
const LOOK_MS = 50;
/** So little work in each of so many seconds is rest. */
const QUIET_MS = 80;
const QUIET_SECONDS = 3;
/** Conversations in which nothing happens are let go after half a minute: that is part of the talk before, too. */
const LET_GO_MS = 35_000;
const MOST_WAIT_MS = 120_000;
const REHEARSED = { DEPUTY_MODEL: "rehearsal/tour" };

/**
 * So many people talk to one daemon at once, each in a chat of their own, and one of them says ten things. Each asks for
 * something that only they are to be told. Rejects if somebody is not answered in time.
 */
export async function runChatLoad(options: {
  readonly app: StagedApp;
  readonly people: number;
  readonly withinMs: number;
  /**
   * `rehearsal`: in the daemon itself. `server`: asked over HTTP with a whole prompt, and each message is a question for
   * the memory.
   */
  readonly model: "rehearsal" | "server";
  /** How many things are said one after the other in the end, while all conversations are there. */
  readonly singles: number;
  /** `rested`: once all is quiet, so that their cost can be measured. */
  readonly before: "rested" | "at_once";
}): Promise<ChatLoadReport> {
  const { app, people, withinMs } = options;
  await using stage = await openStage(app);
  await using model = options.model === "server" ? await openObedientModel() : undefined;
  using home = scratchDirectory();
  const ids = Array.from({ length: people }, (_, at) => 1 + at);
  const adapters = { [app]: stage.settings({ allowedUserIds: ids.map(stage.person) }) };
  const gateway = { maxQueueSize: people + CHATTY };
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters, gateway }));
  await using daemon = await startDaemon(home.path, [], {
    DEPUTY_TOKEN: TOKEN,
    ...(model?.env ?? REHEARSED),
    ...stage.env,
  });
  const { pid = 0 } = daemon.child;
  const wordOf = (id: number, nth = 0): string => `word-${id * 7919}-${nth}-end`;
  const say = (id: number, nth = 0): void =>
    void stage.say(
      id,
      `${model === undefined ? "" : QUESTION}\`\`\`ts\nreturn "word-" + ${id} * 7919 + "-${nth}-end";\n\`\`\``,
    );
  const textsOf = (id: number): string =>
    stage
      .shown(id)
      .map(({ text }) => text)
      .join("\n");
  const until = async (isDone: () => boolean): Promise<void> => {
    const end = Date.now() + withinMs;
    while (!isDone()) {
      if (Date.now() > end) throw new Error(`Not answered in time: ${describeLate()}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };

  const at = new Map<number, number>();
  /** How many wait, and what the first of them sees. */
  const describeLate = (): string => {
    const late = ids.filter((id) => !at.has(id));
    return `${late.length} of ${people}, such as ${late[0] ?? 0}, who sees: ${textsOf(late[0] ?? 0) || "nothing"}`;
  };

  await until(stage.connected);
  // Warm: the first program of a process is checked more slowly.
  const [chatty = 0] = ids;
  say(chatty, 100);
  await until(() => textsOf(chatty).includes(wordOf(chatty, 100)));
  const idleMb = memoryMb(pid, "VmRSS");

  const began = Date.now();
  for (const id of ids) say(id);
  for (let nth = 1; nth < CHATTY; nth++) say(chatty, nth);
  // What is said while a turn waits is read together, and the rehearsal runs the last program of it.
  const awaited = (id: number): string => wordOf(id, id === chatty ? CHATTY - 1 : 0);
  const cpuBefore = cpuMs(pid);
  await until(() => {
    for (const id of ids)
      if (!at.has(id) && textsOf(id).includes(awaited(id))) at.set(id, (Date.now() - began) / 1_000);
    return at.size === people;
  });
  const said = people + CHATTY - 1;
  const cpuThen = cpuMs(pid);
  const together = (cpuThen - cpuBefore) / said;
  if (options.before === "rested") {
    await new Promise((resolve) => setTimeout(resolve, LET_GO_MS));
    await untilQuiet(pid);
  }
  const after = (cpuMs(pid) - cpuThen) / said;
  const singles: number[] = [];
  for (let nth = 0; nth < options.singles; nth++) {
    const id = ids[(nth * 7 + 1) % people] ?? chatty;
    const before = cpuMs(pid);
    say(id, 200 + nth);
    await until(() => textsOf(id).includes(wordOf(id, 200 + nth)));
    singles.push(cpuMs(pid) - before);
  }
  const times = [...at.values()].toSorted((a, b) => a - b);
  const crossed = ids.flatMap((id) =>
    [...textsOf(id).matchAll(/word-(\d+)-\d+-end/g)]
      .filter(([, number]) => number !== String(id * 7919))
      .map(([word]) => `${word} was shown to ${id}`),
  );
  const sorted = singles.toSorted((a, b) => a - b);
  const quantile = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return {
    app,
    people,
    answered: at.size,
    recalled: model?.recalled() ?? 0,
    crossed,
    idleMb,
    peakMb: memoryMb(pid, "VmHWM"),
    cpuMs: { together, after, median: quantile(0.5), p95: quantile(0.95) },
    seconds: { first: times[0] ?? 0, last: times.at(-1) ?? 0, chatty: at.get(chatty) ?? 0 },
  };
}

const QUESTION = "Do you remember what was said about the roses in the garden? Then work this out:\n\n";

/** What stands above the pieces that the memory has found for a message. */
const RECALLED = "Recalled from your memory for the message above.";

/** A model server that runs the program in what was said last, and says what came of it. */
async function openObedientModel() {
  const model = await openPacedModel();
  let recalled = 0;
  const answer = (asked: PacedAnswer): void => {
    const last = asked.messages.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    // Messages that were said one after the other come as one.
    const program = [...text.matchAll(/```ts\\n(.*?)\\n```/g)].at(-1)?.[1];
    if (last?.role === "user" && program !== undefined) {
      if (text.includes(RECALLED)) recalled += 1;
      return asked.call("run_code", { code: JSON.parse(`"${program}"`) });
    }
    asked.write(`It is ${/word-\d+-\d+-end/.exec(text)?.[0] ?? text}`);
    asked.end();
  };
  const over = new AbortController();
  const serve = async (): Promise<void> => {
    // It is patient: while all is quiet, nobody asks for long.
    while (!over.signal.aborted) await model.asked().then(answer, () => undefined);
  };
  void serve();
  return {
    env: model.env,
    recalled: () => recalled,
    async [Symbol.asyncDispose]() {
      over.abort();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** The memory of a daemon that is connected with all chat apps, once nothing has happened for a while. */
export async function measureIdle(restMs: number): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const stages = [];
  for (const app of STAGED_APPS) stages.push(stack.use(await openStage(app)));
  using home = scratchDirectory();
  const adapters = Object.fromEntries(stages.map((stage) => [stage.app, stage.settings()]));
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
  const env = Object.assign(
    { DEPUTY_TOKEN: TOKEN, ...REHEARSED },
    ...stages.map((stage) => stage.env),
  ) as Record<string, string>;
  await using daemon = await startDaemon(home.path, [], env);
  while (!stages.every((stage) => stage.connected()))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await new Promise((resolve) => setTimeout(resolve, restMs));
  return memoryMb(daemon.child.pid ?? 0, "VmRSS");
}

function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_024);
}

/** All of its threads, those that have ended not included. */
function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** What came of all the talking, such as its way into the memory, is no part of what is said next. */
async function untilQuiet(pid: number): Promise<void> {
  const end = Date.now() + MOST_WAIT_MS;
  for (let quiet = 0; quiet < QUIET_SECONDS && Date.now() < end;) {
    const before = cpuMs(pid);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    quiet = cpuMs(pid) - before < QUIET_MS ? quiet + 1 : 0;
  }
}
