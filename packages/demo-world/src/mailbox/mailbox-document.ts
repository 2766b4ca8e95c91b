import { demoMark, answers, KEY, list, object, parameter, ref, takes, text, time } from "../demo-mark.ts";

const mark = demoMark();
const id = parameter("id", "path", text("The message's id"));
const texts = list({ type: "string" });
const folder = { type: "string", enum: ["inbox", "archive", "trash"] } as const;

const summary = {
  id: { type: "string" },
  folder,
  from: { type: "string" },
  to: texts,
  subject: { type: "string" },
  receivedAt: time("When it came"),
  unread: { type: "boolean" },
  attachments: { ...texts, description: "Names of files" },
};
const outgoing = {
  to: { ...texts, minItems: 1, description: "Addresses" },
  subject: { type: "string" },
  text: { type: "string" },
};

/** The OpenAPI document of the mailbox's service. */
export const mailboxDocument = {
  openapi: "3.1.0",
  info: { title: "Demo mailbox", version: "1" },
  paths: {
    "/messages": {
      get: {
        tags: ["messages"],
        operationId: "list",
        summary: `List messages, newest first, without their text ${mark}`,
        parameters: [
          parameter("folder", "query", { ...folder, default: "inbox" }),
          parameter("unread", "query", { type: "boolean", description: "Only those that are unread" }),
        ],
        responses: answers(list(ref("MessageSummary"))),
      },
      post: {
        tags: ["messages"],
        operationId: "send",
        summary: `Send a message: it goes to demo/outbox.json and no further ${mark}`,
        "x-deputy-preview": "Send “{body.subject}” to {body.to} from the demo mailbox\n{body.text}",
        parameters: [KEY],
        requestBody: takes(object(outgoing)),
        responses: answers(object({ id: { type: "string" }, ...outgoing, sentAt: time("When") }), 201),
      },
    },
    "/messages/search": {
      get: {
        tags: ["messages"],
        operationId: "search",
        summary: `Find messages in all folders by words in sender, subject or text ${mark}`,
        parameters: [{ ...parameter("words", "query", text("All of them must be in it")), required: true }],
        responses: answers(list(ref("MessageSummary"))),
      },
    },
    "/messages/{id}": {
      get: {
        tags: ["messages"],
        operationId: "get",
        summary: `Get a message with its text ${mark}`,
        parameters: [id],
        responses: answers(object({ ...summary, text: { type: "string" } })),
      },
      delete: {
        tags: ["messages"],
        operationId: "delete",
        summary: `Delete a message: it goes to the folder trash ${mark}`,
        "x-deputy-preview": "Delete message {id} of the demo mailbox\n{subject}",
        parameters: [
          id,
          parameter("subject", "query", text("Its subject as you know it: with another one it stays")),
          KEY,
        ],
        responses: answers(ref("MessageSummary")),
      },
    },
    "/messages/{id}/archive": {
      post: {
        tags: ["messages"],
        operationId: "archive",
        summary: `Move a message to the archive ${mark}`,
        "x-deputy-preview": "Archive message {id} of the demo mailbox",
        parameters: [id, KEY],
        responses: answers(ref("MessageSummary")),
      },
    },
  },
  components: { schemas: { MessageSummary: object(summary) } },
} as const;
