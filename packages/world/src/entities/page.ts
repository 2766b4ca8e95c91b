import type { PaginatedResponse, PaginationOptions } from "@workflow/world";
import type { SqlValue } from "@deputy/sqlite";
import { type WorldDatabase, decode } from "../sqlite/database.ts";

const DEFAULT_LIMIT = 100;
const MOST = 1_000;

/** A page of entities in the order of their ids, which is the order of creation. The cursor is the last id. */
export function readPage<T>(
  db: WorldDatabase,
  table: "runs" | "steps" | "hooks",
  where: readonly { readonly column: string; readonly value: SqlValue | undefined }[],
  pagination: PaginationOptions | undefined,
  read: (doc: unknown) => T,
): PaginatedResponse<T> {
  const isAscending = pagination?.sortOrder === "asc";
  const limit = Math.min(pagination?.limit ?? DEFAULT_LIMIT, MOST);
  const given = where.flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]));
  const conditions = given.map(({ column }) => `${column} = ?`);
  const values = given.map(({ value }) => value);
  if (pagination?.cursor !== undefined) {
    conditions.push(`id ${isAscending ? ">" : "<"} ?`);
    values.push(pagination?.cursor);
  }
  const filter = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = db
    .sql(`SELECT id, doc FROM ${table} ${filter} ORDER BY id ${isAscending ? "ASC" : "DESC"} LIMIT ?`)
    .all(...values, limit + 1);
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    data: shown.map((row) => read(decode(row))),
    cursor: hasMore ? String(shown.at(-1)?.["id"]) : null,
    hasMore,
  };
}
