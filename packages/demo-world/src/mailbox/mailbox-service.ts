import { z } from "zod";
import { createRoutes, type DemoService, refuse, type RouteRequest } from "../demo-service.ts";
import type { DemoMessage, Mailbox } from "./mailbox.ts";

const sendBody = z.object({ to: z.array(z.email()).min(1), subject: z.string(), text: z.string() });

/** The mailbox over HTTP, as `mailboxDocument` says. */
export function createMailboxService(mailbox: Mailbox): DemoService {
  const one = ({ part }: RouteRequest, answer: (message: DemoMessage) => Response): Response => {
    const found = mailbox.messages().find(({ id }) => id === part("id"));
    return found === undefined ? refuse(404, `There is no message ${part("id")}`) : answer(found);
  };
  return createRoutes("/mail", [
    {
      method: "GET",
      path: "/messages",
      answer({ query }) {
        const folder = query.get("folder") ?? "inbox";
        const found = mailbox.messages().filter((message) => message.folder === folder);
        const isWanted = query.get("unread") === "true" ? ({ unread }: DemoMessage) => unread : () => true;
        return Response.json(found.filter(isWanted).map(summaryOf));
      },
    },
    {
      method: "GET",
      path: "/messages/search",
      answer({ query }) {
        const words = (query.get("words") ?? "").toLowerCase().split(/\s+/);
        const found = mailbox.messages().filter(({ from, subject, text }) => {
          const all = `${from}\n${subject}\n${text}`.toLowerCase();
          return words.every((word) => all.includes(word));
        });
        return Response.json(found.map(summaryOf));
      },
    },
    {
      method: "GET",
      path: "/messages/{id}",
      answer: (request) => one(request, (found) => Response.json(found)),
    },
    {
      method: "POST",
      path: "/messages/{id}/archive",
      answer: (request) => one(request, (found) => Response.json(summaryOf(mailbox.move(found, "archive")))),
    },
    {
      method: "DELETE",
      path: "/messages/{id}",
      answer: (request) =>
        one(request, (found) => {
          const { query } = request;
          if (query.has("subject") && query.get("subject") !== found.subject)
            return refuse(409, `The message is about “${found.subject}”`);
          return Response.json(summaryOf(mailbox.move(found, "trash")));
        }),
    },
    {
      method: "POST",
      path: "/messages",
      answer({ body, key }) {
        const read = sendBody.safeParse(body);
        if (!read.success) return refuse(400, "A message has at least one address, a subject and a text");
        const { key: _key, ...sent } = mailbox.send(read.data, key);
        return Response.json(sent, { status: 201 });
      },
    },
  ]);
}

function summaryOf({ text: _text, ...summary }: DemoMessage): Omit<DemoMessage, "text"> {
  return summary;
}
