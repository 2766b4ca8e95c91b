// Runs commands of the packed program one after the other in one process, for `warm-commands.ts`. Each has the
// arguments, input, output, environment and folder that a process of its own would have, and is over where it exits.
import { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { main } from "../apps/deputy/src/main.ts";
import type { CommandEnd, CommandOrder } from "./warm-commands.ts";

type Listeners = ReturnType<typeof process.rawListeners>;

/** What commands listen to that is the process's. */
const EVENTS: readonly string[] = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "disconnect",
  "unhandledRejection",
  "uncaughtException",
  "exit",
];
/** What a command has closed may take so long to be gone. */
const SETTLE_MS = 1_000;

const send = process.send?.bind(process);
if (send === undefined) throw new Error("This is started by warm-commands.ts");
const endProcess = process.exit.bind(process, 0);
let endCommand: (code: number) => void = () => undefined;
const exitCommand = (code?: number): void => endCommand(code ?? 0);
Reflect.set(process, "exit", exitCommand);
process.on("disconnect", endProcess);
const ours = new Map(EVENTS.map((event) => [event, new Set(process.rawListeners(event))]));

process.on("message", (order: CommandOrder) => {
  void answer(order);
});

async function answer(order: CommandOrder): Promise<void> {
  const idle = countOpen();
  const end = await run(order);
  process.channel?.ref();
  const atExit = takeListeners();
  const untilMs = performance.now() + SETTLE_MS;
  while (countOpen() > idle && performance.now() < untilMs) await wait(5);
  // A process of its own would have ended what it has left open, together with itself: so does this one.
  const isLast = atExit.length > 0 || countOpen() > idle;
  send?.({ ...end, isLast } satisfies CommandEnd, () => {
    if (isLast) endProcess();
  });
}

async function run({ args, input, env, cwd, launcher }: CommandOrder): Promise<Omit<CommandEnd, "isLast">> {
  process.env = { ...env };
  process.chdir(cwd);
  process.argv = [process.execPath, launcher, ...args];
  const [stdout, stderr] = [new Written(), new Written()];
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)]);
  for (const [name, value] of Object.entries({ stdin, stdout, stderr }))
    Object.defineProperty(process, name, { value, configurable: true });
  const code = await new Promise<number>((resolve, reject) => {
    endCommand = resolve;
    main(args).catch(reject);
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Removes what the command listens to; does what it would have done when its process exits, and returns that. */
function takeListeners(): Listeners {
  const added = (event: string): Listeners =>
    process.rawListeners(event).filter((listener) => ours.get(event)?.has(listener) !== true);
  const atExit = added("exit");
  for (const event of EVENTS)
    for (const listener of added(event)) process.removeListener(event, listener as () => void);
  for (const listener of atExit) listener();
  return atExit;
}

function countOpen(): number {
  return process.getActiveResourcesInfo().length;
}

/** Takes what is written, as a pipe that somebody reads does. */
class Written extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
