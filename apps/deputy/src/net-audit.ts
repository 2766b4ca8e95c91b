import type { NetAudit } from "@deputy/net";
import type { EventLog } from "@deputy/protocol";
import type { Redactor } from "@deputy/secrets";

/** Writes every request to the system stream, without delaying anything. */
interface NetAuditor extends AsyncDisposable {
  readonly note: NetAudit;
}

/** Disposing waits until all entries are in the log, or were reported as failed. */
export function createNetAudit(deps: {
  readonly log: Pick<EventLog, "append">;
  readonly redactor: Pick<Redactor, "json">;
  readonly warn: (text: string) => void;
}): NetAuditor {
  const writing = new Set<Promise<void>>();
  const append = async (data: Parameters<NetAudit>[0]): Promise<void> => {
    try {
      const event = { type: "net.request", data: deps.redactor.json(data) } as const;
      await deps.log.append("system", [event], { durability: "relaxed" });
    } catch {
      deps.warn("A request to the network could not be recorded in the log");
    }
  };
  return {
    note(data) {
      const work = append(data);
      writing.add(work);
      void work.finally(() => writing.delete(work));
    },
    async [Symbol.asyncDispose]() {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}
