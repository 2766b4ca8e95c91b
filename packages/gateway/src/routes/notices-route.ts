import type { EventLog } from "@deputy/protocol";
import { noticeListSchema } from "@deputy/protocol/wire";
import { createNoticesReader } from "@deputy/tasks/readers";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

/** The messages of tasks, reminders and the heartbeat to the owner. */
export function noticesRoute(deps: { readonly log: EventLog }): Route {
  const notices = createNoticesReader(deps.log);
  return {
    method: "GET",
    path: "/api/notices",
    auth: "bearer",
    doc: {
      summary: "Notices from Deputy, newest first",
      answers: { 200: json(noticeListSchema) },
    },
    handle: async () => ok({ notices: await notices.newest() }),
  };
}
