import type { SandboxAudit } from "@deputy/builtins";
import type { EventLog } from "@deputy/protocol";
import type { Redactor } from "@deputy/secrets";

/** Of a line or a script, so much is in the entry; the call that ran it has all of it. */
const MOST_CHARS = 2_000;

/** Writes what was run outside, what it saw and what it was kept from to the system stream, without delaying anything. */
export function createSandboxLog(deps: {
  readonly log: Pick<EventLog, "append">;
  readonly redactor: Pick<Redactor, "json">;
  readonly warn: (text: string) => void;
}): SandboxAudit & AsyncDisposable {
  const writing = new Set<Promise<void>>();
  const note: SandboxAudit = ({ what, line, session, place, order, exitCode, durationMs, denied }) => {
    const data = {
      what,
      line: line.slice(0, MOST_CHARS),
      ...(session !== undefined && { session }),
      sandbox: place,
      mounted: order.mounts.map(({ from, at, access }) => ({ from, at, access })),
      network: order.network,
      limits: { ...order.limits },
      exitCode,
      durationMs,
      denied: [...denied],
    };
    const work = deps.log
      .append("system", [{ type: "sandbox.ran", data: deps.redactor.json(data) }], { durability: "relaxed" })
      .then(
        () => undefined,
        () => deps.warn("What a command saw and did could not be recorded in the log"),
      );
    writing.add(work);
    void work.finally(() => writing.delete(work));
  };
  return Object.assign(note, {
    async [Symbol.asyncDispose]() {
      while (writing.size > 0) await Promise.all(writing);
    },
  });
}
