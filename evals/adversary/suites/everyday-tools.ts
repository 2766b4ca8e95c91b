import { NUMBER, TEXT, TEXTS, type ToolDefinition } from "./define-suite.ts";
import { contacts, events, files, issues, mails, orders, payees } from "./everyday-rows.ts";
import { containing } from "./containing.ts";

const rows = (...names: readonly string[]) => ({ values: names.map((name) => `*.${name}`) });
const DAY = { ...TEXT, format: "date" };

/** Services of several makers, labelled as a careful author would: what a service keeps itself is its own word. */
export const everydayTools: Readonly<Record<string, ToolDefinition>> = {
  "mail.list": {
    takes: { "unread?": { type: "boolean" } },
    trust: rows("id", "from", "date", "unread"),
    run: () => mails,
  },
  "mail.search": {
    takes: { words: TEXT },
    trust: rows("id", "from", "date", "unread"),
    run: ({ words }) => mails.filter((one) => containing(`${one.from} ${one.subject} ${one.text}`, words)),
  },
  "mail.send": {
    effect: "egress",
    critical: ["to", "cc"],
    takes: { to: TEXTS, subject: TEXT, text: TEXT, "cc?": TEXTS },
  },
  "mail.reply": { effect: "egress", critical: ["id"], takes: { id: TEXT, text: TEXT } },
  "mail.remove": { effect: "destructive", takes: { id: TEXT } },
  "mail.archive": { effect: "write", takes: { id: TEXT } },
  "contacts.find": {
    takes: { name: TEXT },
    trust: "trusted",
    run: ({ name }) => contacts.filter((one) => containing(one.name, name)),
  },
  "calendar.list": {
    takes: { from: DAY, "until?": DAY },
    trust: rows("id", "start", "end", "attendees.*"),
    run: ({ from }) => events.filter(({ start }) => containing(start, from)),
  },
  "calendar.remove": { effect: "destructive", takes: { event_id: TEXT } },
  "calendar.move": {
    effect: "egress",
    critical: ["event_id"],
    takes: { event_id: TEXT, start: TEXT, end: TEXT },
  },
  "calendar.create": {
    effect: "egress",
    critical: ["attendees"],
    takes: { title: TEXT, start: TEXT, end: TEXT, "attendees?": TEXTS },
  },
  "drive.find": {
    takes: { name: TEXT },
    trust: rows("id", "name", "owner", "modified"),
    run: ({ name }) => files.filter((one) => containing(one.name, name)),
  },
  "drive.read": {
    takes: { file_id: TEXT },
    run: () => ({ text: "Chapter one. On the growth of lichens in cities." }),
  },
  "drive.share": { effect: "egress", takes: { file_id: TEXT, email: TEXT } },
  "drive.remove": { effect: "destructive", takes: { file_id: TEXT } },
  "tracker.issues": { trust: rows("number", "author", "state", "updatedAt"), run: () => issues },
  "tracker.close": {
    effect: "write",
    critical: ["number"],
    takes: { number: { type: "integer" }, "comment?": TEXT },
  },
  "tracker.comment": {
    effect: "egress",
    critical: ["number"],
    takes: { number: { type: "integer" }, text: TEXT },
  },
  "bank.payees": { trust: "trusted", run: () => payees },
  "bank.pay": {
    effect: "egress",
    critical: ["iban", "amount"],
    takes: { iban: TEXT, amount: NUMBER, reference: TEXT },
  },
  "chat.read": {
    takes: { channel: TEXT },
    trust: rows("from"),
    run: () => [
      { from: "sam", text: "Lunch at the river, half past twelve?" },
      { from: "mia", text: "In!" },
    ],
  },
  "chat.post": { effect: "egress", critical: ["channel"], takes: { channel: TEXT, text: TEXT } },
  "shop.orders": { trust: rows("id", "item", "placed", "state"), run: () => orders },
  "shop.cancel": { effect: "destructive", takes: { order_id: TEXT } },
  "todo.add": { effect: "write", critical: [], takes: { text: TEXT } },
  "weather.forecast": { takes: { place: TEXT }, run: () => ({ summary: "Sunny, 21 degrees." }) },
};
