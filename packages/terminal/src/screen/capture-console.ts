import { Console } from "node:console";
import { Writable } from "node:stream";

/** What a plugin prints goes to `tell`, line by line, while the terminal is drawn on; until it is disposed. */
export function captureConsole(tell: (line: string) => void): Disposable {
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
