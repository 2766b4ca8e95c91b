import { createPipe } from "../io/pipe.ts";
import type { ProcessPart } from "../parse/word.ts";
import type { Shell } from "../run/shell.ts";

const HIGHEST = 63;

/** Starts what is in `<(…)` or `>(…)`; gives the path of its other end. */
export function openProcess(shell: Shell, part: ProcessPart): string {
  const { reader, writer } = createPipe();
  let descriptor = HIGHEST;
  while (shell.descriptors.get(descriptor) !== undefined) descriptor -= 1;
  const script = part.script();
  const theirs = part.direction === "<" ? { at: 1, channel: writer } : { at: 0, channel: reader };
  const ours = part.direction === "<" ? reader : writer;
  const { done, pid } = shell.engine.startBeside(shell, (inner) => {
    inner.descriptors.set(theirs.at, theirs.channel);
    return shell.engine.runScript(inner, script);
  });
  // Nobody may wait for it any more when the script ends it.
  done.catch(() => undefined);
  shell.descriptors.set(descriptor, ours);
  shell.lastBackground = pid;
  shell.substituted.push({ descriptor, direction: part.direction, done });
  return `/dev/fd/${String(descriptor)}`;
}
