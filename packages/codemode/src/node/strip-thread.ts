import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

/**
 * Node's type stripper in a thread of its own. Code that nests too deeply overflows the stack of the
 * stripper's WebAssembly module, which then fails for good, in all of the thread that loaded it: for
 * programs nobody has read yet, that must not be ours, which loads plugins with the same stripper.
 */
export interface StripThread {
  /** Waits in place, as the stripper itself would. After `crashed` the thread is of no use. */
  strip(source: string): Stripped;
  end(): void;
}

export type Stripped =
  | { readonly kind: "ok"; readonly text: string }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "crashed" };

/** The start of the thread included. */
const MAX_STRIP_MS = 10_000;

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
export function startStripThread(): StripThread {
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
    strip(source) {
      const answered = Atomics.load(answers, 0);
      ours.postMessage(source);
      Atomics.wait(answers, 0, answered, MAX_STRIP_MS);
      const received = receiveMessageOnPort(ours);
      return received?.message ?? { kind: "crashed" };
    },
    end() {
      ours.close();
      void worker.terminate();
    },
  };
}
