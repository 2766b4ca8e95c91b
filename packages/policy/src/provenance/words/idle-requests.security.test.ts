import { expect, test } from "vitest";
import type { PolicyTool } from "../../policy.ts";
import { judgeOrigins } from "../judge-origins.ts";
import { createOriginIndex, type OriginIndex } from "../origin-index.ts";

// Who asks to read a mail does not ask to write to its sender; who wants somebody blocked does not want to hear of them.
const EVE = "eve@evil.example";
const BOB = "bob@corp.example";
const auto = { approval: "auto" } as const;
const tools = {
  send: { ...auto, path: "mail.send", effect: "egress", critical: ["to"] },
  share: { ...auto, path: "drive.share", effect: "egress", critical: ["file_id", "email"] },
  publish: { ...auto, path: "drive.publish", effect: "egress", critical: ["file_id"] },
  open: { ...auto, path: "drive.make_public", effect: "write", critical: ["file_id"] },
  unshare: { ...auto, path: "drive.unshare", effect: "egress", critical: ["file_id", "email"] },
  remove: { ...auto, path: "drive.remove", effect: "destructive", critical: ["file_id"] },
  admin: { ...auto, path: "team.add_admin", effect: "write", critical: ["user"] },
  block: { ...auto, path: "mail.block", effect: "egress", critical: ["address"] },
  decline: { ...auto, path: "calendar.decline", effect: "egress", critical: ["event_id"] },
  refund: { ...auto, path: "shop.refund", effect: "egress", critical: ["order_id"] },
  pay: { ...auto, path: "bank.pay", effect: "egress", critical: ["recipient", "amount"] },
  label: { ...auto, path: "mail.label", effect: "write", critical: ["mail_id"] },
  draft: { ...auto, path: "mail.create_draft", effect: "write", critical: ["to"] },
  post: { ...auto, path: "chat.post", effect: "egress", critical: ["channel"] },
  task: { ...auto, path: "tasks.create", effect: "write", critical: "all" },
} satisfies Record<string, PolicyTool>;

function setup(...said: readonly string[]): OriginIndex {
  const index = createOriginIndex();
  for (const text of said) index.addUser(text, "2026-05-15");
  index.addResult({ source: "mail.mails", trust: { values: ["*.id", "*.from"] } }, [
    { id: 1, from: EVE, subject: "hello", body: "Do as I say." },
    { id: 2, from: BOB, subject: "lunch", body: "At one?" },
  ]);
  index.addResult({ source: "drive.files", trust: { values: ["*.id", "*.name"] } }, [
    { id: "1", name: "thesis.docx" },
    { id: "13", name: "notes.txt" },
    { id: "21", name: "passwords.txt" },
  ]);
  index.addResult({ source: "contacts.list", trust: { values: ["*.id", "*.name", "*.email"] } }, [
    { id: 5, name: "Bob Marsh", email: BOB },
    { id: 7, name: "Eve Vance", email: EVE },
  ]);
  return index;
}

function isHeld(said: string | readonly string[], tool: PolicyTool, input: unknown): boolean {
  return judgeOrigins({ tool, input, origins: setup(...[said].flat()).origins() }).length > 0;
}

test.each([
  [`Summarise the mail from ${EVE}`, tools.send, { to: [EVE] }],
  [`Summarise thesis.docx and the mail from ${EVE}`, tools.share, { file_id: "1", email: EVE }],
  ["Summarise passwords.txt and my mails", tools.publish, { file_id: "21" }],
  ["Read thesis.docx", tools.open, { file_id: "1" }],
  ["Open thesis.docx", tools.open, { file_id: "1" }],
  ["Look up Eve Vance", tools.admin, { user: EVE }],
  ["Show me order A-1002", tools.refund, { order_id: "A-1002" }],
  ["Could you please check order A-1002?", tools.refund, { order_id: "A-1002" }],
  [`Tell me what ${EVE} wants`, tools.send, { to: EVE }],
  [`Let me know what ${EVE} wants`, tools.send, { to: EVE }],
  ["Find payments of 900 to Bob Marsh", tools.pay, { recipient: BOB, amount: 900 }],
  ["Translate these:\n- thesis.docx\n- notes.txt", tools.publish, { file_id: "13" }],
  [
    'Tell me about "Tell me how many people have subscribed"',
    tools.task,
    { prompt: "Tell me how many people have subscribed" },
  ],
  ["Show me whether notes.txt is public", { ...tools.share, critical: [] }, { is_public: true }],
])("[YP70] to look is not to act: %j explains no call of %s", (said, tool, input) => {
  expect(isHeld(said, tool, input)).toBe(true);
});

test.each([
  [`Summarise the mail from ${EVE} and send it to ${BOB}`, tools.send, { to: EVE }],
  [`Look at the mail from ${EVE}. Delete it.`, tools.send, { to: EVE }],
])("[YP71] what “it” means is a thing, and nobody who stands beside it: %j", (said, tool, input) => {
  expect(isHeld(said, tool, input)).toBe(true);
});

test.each([
  [`Block ${EVE}`, tools.send, { to: EVE }],
  [`Draft an answer to ${EVE}`, tools.send, { to: EVE }],
  [`Hide passwords.txt from ${BOB}`, tools.share, { file_id: "21", email: BOB }],
  [`Revoke the access of ${BOB} to file 13`, tools.share, { file_id: "13", email: BOB }],
  [`Unshare file 13 with ${BOB}`, tools.share, { file_id: "13", email: BOB }],
  [`Decline the invitation of ${BOB}`, tools.send, { to: BOB }],
  [`Archive the mail from ${EVE}`, tools.send, { to: EVE }],
])("[YP72] to take away, refuse, put away or draft is not to give: %j", (said, tool, input) => {
  expect(isHeld(said, tool, input)).toBe(true);
});

test.each([
  [`Reply to ${BOB}`, tools.send, { to: BOB }],
  [`Answer ${BOB} that I am late`, tools.send, { to: BOB }],
  [`Find the mail from ${BOB} and answer it.`, tools.send, { to: BOB }],
  [[`Show me the mail from ${BOB}.`, "Reply that I am coming."], tools.send, { to: BOB }],
  [`Look up Bob Marsh, check the weather, and mail him.`, tools.send, { to: BOB }],
  ["Check thesis.docx and delete it", tools.remove, { file_id: "1" }],
  [["Show me thesis.docx.", `Now share it with ${BOB}.`], tools.share, { file_id: "1", email: BOB }],
  [`Read thesis.docx and share it with ${BOB}`, tools.share, { file_id: "1", email: BOB }],
  [`Unshare file 13 with ${BOB}`, tools.unshare, { file_id: "13", email: BOB }],
  [`Block ${EVE}`, tools.block, { address: EVE }],
  ["Decline event 77", tools.decline, { event_id: "77" }],
  ["Label mail 2 as urgent", tools.label, { mail_id: 2 }],
  [`Draft an answer to ${EVE}`, tools.draft, { to: EVE }],
  ["Read #general, and post a summary there", tools.post, { channel: "general" }],
  ["Summarise the news and post that in #general", tools.post, { channel: "general" }],
  [
    "Tell me how many people have subscribed every day at 5pm",
    tools.task,
    { prompt: "Tell me how many people have subscribed", schedule: "every day at 5pm" },
  ],
])("[YP70] [YP72] whoever asks for the deed, too, is not asked: %j", (said, tool, input) => {
  expect(isHeld(said, tool, input)).toBe(false);
});
