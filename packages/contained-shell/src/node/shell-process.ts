import { prepareCoreUtils } from "@deputy/core-utils";
import { prepareModule } from "@deputy/wasi";
import type { Brought } from "../bundled-commands.ts";
import type { Box } from "./box.ts";
import { readFrames, writeFrame } from "./frames.ts";
import type { FromProcess, ToProcess } from "./process-messages.ts";
import { openThreadBox } from "./thread-box.ts";

// The entry of a process of `openContainedShell` in a sandbox: a thread that runs scripts, and what is said of it.

/** How often it says how much the thread has computed, which itself cannot while it computes. */
const TELL_MS = 200;

const { promise: opened, resolve: open } = Promise.withResolvers<Box>();
const tell = (message: FromProcess): void => writeFrame(process.stdout, message);

async function serve(bytes: Uint8Array): Promise<void> {
  const box = openThreadBox((await prepareCoreUtils(bytes)).module);
  box.hold("runs");
  box.listen((message) => tell({ kind: "from", message }));
  const telling = setInterval(() => {
    box.cpuMs().then(
      (ms) => tell({ kind: "computed", ms }),
      () => undefined,
    );
  }, TELL_MS);
  open(box);
  const died = await box.ended;
  clearInterval(telling);
  tell({ kind: "died", died });
  process.stdout.end(() => process.exit(0));
}

async function take(message: ToProcess): Promise<void> {
  if (message.kind === "tools") return await serve(message.bytes);
  const box = await opened;
  if (message.kind === "to") box.post(message.message);
  else box.post({ kind: "program", sha256: message.sha256, brought: await prepare(message.brought) });
}

async function prepare(brought: Extract<ToProcess, { kind: "program" }>["brought"]): Promise<Brought> {
  if ("refused" in brought) return brought;
  try {
    return { module: await prepareModule(brought.bytes, { maxMemoryBytes: brought.maxMemoryBytes }) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : "it is no program" };
  }
}

function fail(error: unknown): void {
  process.stderr.write(error instanceof Error ? `${error.message}\n` : "It broke\n");
  process.exit(1);
}

readFrames(process.stdin, (value) => void take(value as ToProcess).catch(fail), fail);
// Nobody is there any more who could want something.
process.stdin.on("end", () => process.exit(0));
