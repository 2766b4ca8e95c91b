import type { EventData, EventLog } from "@deputy/protocol";
import type { Redactor } from "@deputy/secrets";

const MOST_CHARS = 8_000;
/** More say nothing new, and a bug that comes back must not fill the disk. */
const MOST_BUGS = 100;

/**
 * Bugs of Deputy's own go into the log with their stack, and so into the daily file, besides being told. Never throws,
 * and nothing waits for it: where the log itself fails, what is told has to do.
 */
export function recordBugs(deps: {
  readonly log: Pick<EventLog, "append">;
  readonly redactor: Pick<Redactor, "text">;
  readonly tell: (error: unknown) => void;
}): (error: unknown) => void {
  const { log, redactor, tell } = deps;
  let left = MOST_BUGS;
  return (error) => {
    tell(error);
    if (left === 0) return;
    left -= 1;
    const message = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    const data = {
      code: "internal",
      message: redactor.text(message).slice(0, MOST_CHARS),
      ...(stack === undefined ? {} : { stack: redactor.text(stack).slice(0, MOST_CHARS) }),
    };
    void keep(log, data);
  };
}

async function keep(log: Pick<EventLog, "append">, data: EventData<"error">): Promise<void> {
  try {
    await log.append("system", [{ type: "error", data }]);
  } catch {
    // It was told.
  }
}
