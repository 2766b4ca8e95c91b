import type { Hook, ListHooksParams, PaginatedResponse } from "@workflow/world";
import { type WorldDatabase, decode, encode } from "../sqlite/database.ts";
import { readPage } from "./page.ts";

/** Waiting hooks. A hook that was disposed of, or whose run ended, has no row. */
export interface HookRows {
  get(id: string): Hook | undefined;
  byToken(token: string): Hook | undefined;
  list(params: ListHooksParams): PaginatedResponse<Hook>;
  insert(hook: Hook): void;
  /** False if it does not exist. */
  remove(id: string): boolean;
}

export function createHookRows(db: WorldDatabase): HookRows {
  const one = (column: "id" | "token", value: string): Hook | undefined => {
    const row = db.sql(`SELECT doc FROM hooks WHERE ${column} = ?`).get(value);
    return row && (decode(row) as Hook);
  };
  return {
    get: (id) => one("id", id),
    byToken: (token) => one("token", token),
    list: ({ runId, pagination }) =>
      readPage(db, "hooks", [{ column: "run", value: runId }], pagination, (doc) => doc as Hook),
    insert(hook) {
      db.sql("INSERT INTO hooks (id, run, token, doc) VALUES (?, ?, ?, ?)").run(
        hook.hookId,
        hook.runId,
        hook.token,
        encode(hook),
      );
    },
    remove: (id) => db.sql("DELETE FROM hooks WHERE id = ?").run(id).changes === 1,
  };
}
