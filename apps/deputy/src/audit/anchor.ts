import { EventLogError } from "@deputy/protocol";
import type { LogAnchor, SqliteReader } from "@deputy/store/sqlite";
import { AppError } from "../app-error.ts";
import type { AuditProblem } from "./audit-problem.ts";

/** Parses the output of `deputy audit head`: a position and a hash. Throws `usage`. */
export function parseAnchor(text: string): LogAnchor {
  const [, position, hash] = /^(\d{1,15})-([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (position !== undefined && hash !== undefined)
    return { position: Number(position), hash: hash.toLowerCase() };
  throw new AppError("usage", "The anchor is not what `deputy audit head` prints", {
    hint: "Give the number, the dash and all 64 digits.",
  });
}

/** Undefined for a log that cannot be read. */
export function headAnchor(reader: Pick<SqliteReader, "anchor">): string | undefined {
  const anchor = anchorOf(reader, undefined);
  return anchor === undefined ? undefined : `${anchor.position}-${anchor.hash}`;
}

/** True if the log up to the anchor is the same as when the anchor was taken. */
export function checkAnchor(
  reader: Pick<SqliteReader, "anchor">,
  anchor: LogAnchor,
): readonly AuditProblem[] {
  const end = anchorOf(reader, undefined)?.position ?? 0;
  if (end < anchor.position)
    return [
      problem("rolled_back", `the log ends at position ${end}, before the anchor’s ${anchor.position}`),
    ];
  if (anchorOf(reader, anchor.position)?.hash === anchor.hash) return [];
  const what = `the log up to position ${anchor.position} differs from the log that the anchor was taken from`;
  return [problem("rewritten", what)];
}

function anchorOf(reader: Pick<SqliteReader, "anchor">, position: number | undefined): LogAnchor | undefined {
  try {
    return reader.anchor(position);
  } catch (error) {
    if (error instanceof EventLogError && error.code === "log_damaged") return undefined;
    throw error;
  }
}

function problem(kind: string, message: string): AuditProblem {
  return {
    where: "anchor",
    kind,
    message,
    safe: "The anchor that you kept is right; this log has changed since.",
    todo: "Take the home from a backup, and find out who could write to it.",
  };
}
