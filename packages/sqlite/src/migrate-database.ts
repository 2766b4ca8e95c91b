import type { Database } from "./database.ts";

/**
 * Runs the migrations that a database has not had yet, each in a transaction of its own; the n-th brings it from
 * version n to n + 1. Idempotent. Leaves a newer database as it is.
 */
export function migrateDatabase(db: Database, applicationId: number, migrations: readonly string[]): void {
  for (let version = db.pragma("user_version"); version < migrations.length; version++)
    db.exec(`BEGIN IMMEDIATE;
      ${migrations[version] ?? ""};
      PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${version + 1};
      COMMIT;`);
}
