import type { TurnId } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";

/** A turn that must not be continued. */
export interface BrokenTurn {
  readonly stream: StreamId;
  readonly turnId: TurnId;
}

/** Turns that were requested or begun and have not ended. Turns that a fork has copied are not its own. */
const OPEN_TURNS = `SELECT stream, turn_id, min(seq) AS first FROM candidates
  WHERE chosen AND turn_id NOT NULL AND type IN ('user.message', 'turn.started')
    AND json_extract(payload, '$.copyOf') IS NULL
    AND NOT EXISTS (SELECT 1 FROM candidates AS ends WHERE ends.chosen AND ends.turn_id = candidates.turn_id
      AND ends.type IN ('turn.completed', 'turn.failed', 'turn.aborted')
      AND (ends.stream = candidates.stream OR json_extract(ends.payload, '$.copyOf') IS NULL))
  GROUP BY stream, turn_id ORDER BY min(position)`;
/** An event from the turn's time that is gone, or was found without its raw values from the journal. */
const WITHOUT_JOURNAL =
  "SELECT 1 FROM candidates WHERE chosen AND stream = ? AND seq > ? AND NOT from_database LIMIT 1";

/**
 * The open turns of a rebuilt log that cannot continue: what they did may be lost, and the daily files have
 * no raw values, so that such a turn could repeat what it already did. `journal` says whether the database's
 * journal is known to be complete; if not, this applies to every open turn.
 */
export function findBrokenTurns(db: Database, journal: "whole" | "doubtful"): readonly BrokenTurn[] {
  const without = db.sql(WITHOUT_JOURNAL);
  return db
    .sql(OPEN_TURNS)
    .all()
    .map((row) => ({
      stream: String(row["stream"]) as StreamId,
      turnId: String(row["turn_id"]) as TurnId,
      first: Number(row["first"]),
    }))
    .filter(({ stream, first }) => journal === "doubtful" || without.get(stream, first) !== undefined)
    .map(({ stream, turnId }) => ({ stream, turnId }));
}
