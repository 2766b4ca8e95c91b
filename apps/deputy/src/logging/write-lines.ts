import { type EventLog, readEvent, type StoredEvent } from "@deputy/protocol";
import { pino } from "pino";
import type { LogLevel } from "./log-level.ts";

type Written = Exclude<LogLevel, "silent">;

/** What somebody who runs Deputy looks at; all other events are `debug`. */
const LEVELS: Readonly<Record<string, Written>> = {
  error: "error",
  "turn.failed": "warn",
  "turn.aborted": "warn",
  "task.failed": "warn",
  "session.started": "info",
  "turn.started": "info",
  "turn.completed": "info",
  "approval.requested": "info",
  "approval.resolved": "info",
  "grant.created": "info",
  "grant.revoked": "info",
};

/** Fields that say what happened, and nothing of what anybody said, wrote or read. */
const FIELDS = [
  "toolPath",
  "status",
  "durationMs",
  "decision",
  "scope",
  "model",
  "agentId",
  "channel",
  "usage",
  "taskId",
  "callId",
  "approvalId",
  "grantId",
] as const;

/**
 * The same log, with a line of JSON for each event once it is stored: time, level, type, where it is in the log, and how
 * it ended. The log has the rest. A line that cannot be written is lost, and nothing else fails for it.
 */
export function writeLines(
  log: EventLog,
  deps: {
    readonly level: Written;
    readonly version: string;
    readonly redact: (text: string) => string;
    readonly write: (line: string) => void;
  },
): EventLog {
  const logger = pino(
    {
      level: deps.level,
      base: { name: "deputy", version: deps.version },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => deps.write(deps.redact(line)) },
  );
  const tell = (stored: StoredEvent): void => {
    const { type, stream, seq, turnId } = stored;
    const read = readEvent(stored);
    const data = read.kind === "known" ? (read.event.data as Readonly<Record<string, unknown>>) : {};
    const fields = Object.fromEntries(
      FIELDS.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
    );
    const code = failureCode(type, data);
    logger[levelOf(type, data)](
      {
        stream,
        seq,
        ...(turnId === undefined ? {} : { turnId }),
        ...fields,
        ...(code === undefined ? {} : { code }),
      },
      type,
    );
  };
  return {
    ...log,
    async append(...given) {
      const stored = await log.append(...given);
      for (const event of stored) tell(event);
      return stored;
    },
  };
}

/** A field of that name is a program in some events. */
const FAILURES: ReadonlySet<string> = new Set(["error", "turn.failed"]);

function failureCode(type: string, data: Readonly<Record<string, unknown>>): unknown {
  if (FAILURES.has(type)) return data["code"];
  return (data["error"] as { readonly code?: string } | undefined)?.code;
}

function levelOf(type: string, { status }: Readonly<Record<string, unknown>>): Written {
  if (type === "call.settled") return status === "succeeded" ? "info" : "warn";
  const task = type.startsWith("task.") ? "info" : undefined;
  return LEVELS[type] ?? task ?? "debug";
}
