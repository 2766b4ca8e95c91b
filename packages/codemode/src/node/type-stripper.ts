import { type Clock, createIdleTimer } from "@deputy/kit";
import { CodemodeError } from "../codemode-error.ts";
import type { TypeStripper } from "../type-checker.ts";
import { unwrapCell, wrapCell } from "../wrap-cell.ts";
import { createBackgroundClock } from "./background-clock.ts";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

export interface NodeTypeStripperOptions {
  /** A thread idle for this long is ended, which frees its memory. */
  readonly idleMs?: number;
  /** For that wait; its sleeps should not keep the process alive. */
  readonly clock?: Clock;
}

/** Node's own type stripper, in a thread that starts with the first program and is replaced when it breaks. */
export function createNodeTypeStripper(options: NodeTypeStripperOptions = {}): TypeStripper {
  const { idleMs = 60_000, clock = createBackgroundClock() } = options;
  let thread: StripThread | undefined;
  const end = (): void => {
    thread?.end();
    thread = undefined;
  };
  const idle = createIdleTimer({ clock, idleMs, onIdle: end });
  const refuse = (why: string): never => {
    throw new CodemodeError("not_erasable", `The types cannot be erased: ${why}`);
  };
  return {
    strip(code) {
      let stripped: Stripped = { kind: "silent" };
      // A thread that says nothing says nothing about the program: a busy machine may not have run it.
      for (const waitMs of WAITS_MS) {
        thread ??= startStripThread();
        stripped = thread.strip(wrapCell(code), waitMs);
        if (stripped.kind !== "silent") break;
        end();
      }
      idle.restart();
      if (stripped.kind === "ok") return unwrapCell(stripped.text);
      if (stripped.kind === "refused") return refuse(stripped.message);
      end();
      if (stripped.kind === "silent") return refuse("the machine is too busy; try again");
      return refuse("the program nests too deeply");
    },
  };
}

/**
 * Node's type stripper in its own thread. Code that nests too deeply overflows the stack of the stripper's
 * WebAssembly module, which then fails for good in its whole thread. Unreviewed programs must not do that to
 * the main thread, which loads plugins with the same stripper.
 */
interface StripThread {
  /** Blocks while waiting, as the stripper itself would. After `crashed` and `silent` the thread is useless. */
  strip(source: string, waitMs: number): Stripped;
  end(): void;
}

type Stripped =
  | { readonly kind: "ok"; readonly text: string }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "crashed" }
  | { readonly kind: "silent" };

/** How long a thread may take to answer, its start included; after the first, another one is started. */
const WAITS_MS = [10_000, 60_000];

/** The code is a string, so that it needs no file of its own in a bundle. Warnings have no reader here. */
const THREAD = `
  const { workerData: { port, answers } } = require("node:worker_threads");
  const { stripTypeScriptTypes } = require("node:module");
  process.emitWarning = () => {};
  const REFUSED = ["ERR_INVALID_TYPESCRIPT_SYNTAX", "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"];
  const strip = (source) => {
    try {
      return { kind: "ok", text: stripTypeScriptTypes(source) };
    } catch (error) {
      return REFUSED.includes(error.code) ? { kind: "refused", message: error.message } : { kind: "crashed" };
    }
  };
  port.on("message", (source) => {
    port.postMessage(strip(source));
    Atomics.add(answers, 0, 1);
    Atomics.notify(answers, 0);
  });
`;

/** Starts the thread, which does not keep the process alive. */
function startStripThread(): StripThread {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(THREAD, {
    eval: true,
    name: "deputy-type-stripper",
    env: {},
    execArgv: [],
    workerData: { port: theirs, answers },
    transferList: [theirs],
  });
  worker.unref();
  return {
    strip(source, waitMs) {
      const answered = Atomics.load(answers, 0);
      ours.postMessage(source);
      Atomics.wait(answers, 0, answered, waitMs);
      const received = receiveMessageOnPort(ours);
      return received?.message ?? { kind: "silent" };
    },
    end() {
      ours.close();
      void worker.terminate();
    },
  };
}
