import { expect, test } from "vitest";
import type { ResultTrust } from "@deputy/protocol";
import type { PolicyTool } from "../../policy.ts";
import { judgeOrigins } from "../judge-origins.ts";
import { createOriginIndex } from "../origin-index.ts";

// Whose a record is, the number of somebody, and what names something new.
const auto = { approval: "auto", critical: "all" } as const;
const tools = {
  remind: { ...auto, path: "fees.remind", effect: "egress" },
  drop: { ...auto, path: "fees.delete_invoice", effect: "destructive" },
  signUp: { ...auto, path: "events.sign_up", effect: "write" },
  follow: { ...auto, path: "forum.add_user", effect: "egress" },
  invoice: { ...auto, path: "fees.create_invoice", effect: "egress" },
  file: { ...auto, path: "drive.create", effect: "write" },
  contact: { ...auto, path: "contacts.save", effect: "write" },
  mail: { ...auto, path: "mail.send", effect: "egress" },
  share: { ...auto, path: "drive.share", effect: "egress" },
  grant: { ...auto, path: "access.grant", effect: "egress" },
  cancel: {
    ...auto,
    path: "orders.cancel",
    effect: "destructive",
    inputSchema: {
      type: "object",
      properties: {
        order_id: { type: "string" },
        reason: { type: "string", enum: ["no longer needed", "ordered by mistake"] },
      },
    },
  },
} satisfies Record<string, PolicyTool>;

const members = [
  { member_no: 1033, name: "Tomasz Zielinski", email: "tomasz@x.example" },
  { member_no: 1061, name: "Bob Carver", email: "bob@x.example" },
];
const invoices = [
  { invoice_id: "2026/032", member_no: 1033, amount: 390 },
  { invoice_id: "2026/034", member_no: 1061, amount: 240 },
];

interface Read {
  readonly source: string;
  readonly result: unknown;
  readonly trust?: ResultTrust;
}

const known: readonly Read[] = [
  { source: "club.find_members", result: members },
  { source: "fees.list_invoices", result: invoices },
];

function isHeld(said: string, tool: PolicyTool, input: unknown, reads: readonly Read[] = []): boolean {
  const index = createOriginIndex();
  index.addUser(said, "2026-05-15");
  index.addResult({ source: "web.fetch", trust: "untrusted" }, "Do as I say.");
  for (const { source, result, trust = "trusted" } of reads) index.addResult({ source, trust }, result);
  return judgeOrigins({ tool, input, origins: index.origins() }).length > 0;
}

test("[YP140] whose a record is picks it out", () => {
  const said = "Send Bob a reminder for his fee.";
  expect(isHeld(said, tools.remind, { invoice_id: "2026/034" }, known)).toBe(false);
  expect(isHeld(said, tools.remind, { invoice_id: "2026/032" }, known)).toBe(true);
});

test("[YP140] not where nothing says what is meant, somebody has several, others write there, or it destroys", () => {
  const ask = (said: string, reads = known, tool: PolicyTool = tools.remind): boolean =>
    isHeld(said, tool, { invoice_id: "2026/034" }, reads);
  expect(ask("Send Bob a greeting.")).toBe(true);
  const more = { source: "fees.list_invoices", result: [{ invoice_id: "2026/041", member_no: 1061 }] };
  expect(ask("Send Bob a reminder for his fee.", [...known, more])).toBe(true);
  const values = { values: ["*.invoice_id", "*.member_no"] };
  const others = known.map((read) =>
    read.source === "fees.list_invoices" ? { ...read, trust: values } : read,
  );
  expect(ask("Send Bob a reminder for his fee.", others)).toBe(true);
  expect(ask("Delete the invoice of Bob.", known, tools.drop)).toBe(true);
});

test("[YP141] the number by which a list of people knows somebody is theirs in other services of that name", () => {
  const said = "Sign Bob up for the regatta.";
  expect(isHeld(said, tools.signUp, { member_no: 1061 }, known)).toBe(false);
  expect(isHeld(said, tools.signUp, { member_nos: [1061] }, known)).toBe(false);
  expect(isHeld(said, tools.signUp, { member_no: 1033 }, known)).toBe(true);
  expect(isHeld(said, tools.signUp, { member_nos: [1061, 1033] }, known)).toBe(true);
});

test("[YP141] the ids that every service has of its own users are nothing elsewhere", () => {
  const users = [{ source: "code.list_users", result: [{ user_id: 13, name: "Bob Carver", login: "bob" }] }];
  expect(isHeld("Add Bob to the forum.", tools.follow, { user_id: 13 }, users)).toBe(true);
});

test("[YP142] the end of a month is its last day, and tonight is today", () => {
  const due = (value: string): boolean =>
    isHeld("Invoice Bob 30 euros, due at the end of June.", tools.invoice, { due: value });
  expect(due("2026-06-30")).toBe(false);
  expect(due("2026-06-29")).toBe(true);
  expect(isHeld("Invoice Bob 30 euros, due tonight.", tools.invoice, { due: "2026-05-15" })).toBe(false);
});

test.each([
  "When is the next project meeting? Push it back by an hour.",
  "Who is Dorothy Project? Create a meeting with her.",
])("[YP143] what it or her means names nothing new: %s", (said) => {
  for (const name of ["Project meeting", "Dorothy Project", "project"]) {
    expect(isHeld(said, tools.file, { name })).toBe(true);
    expect(isHeld(said, tools.contact, { name })).toBe(true);
  }
});

test("[YP143] what is to be made is named where that is asked for", () => {
  expect(isHeld("Create the file Dorothy.md.", tools.file, { name: "Dorothy.md" })).toBe(false);
  expect(isHeld("Who is Dorothy? Create a file called Dorothy.", tools.file, { name: "Dorothy" })).toBe(
    false,
  );
});

test("[YP143] no day names a file or somebody, and nothing is set to what somebody's is", () => {
  const said = "Move the lunch to Thursday.";
  expect(isHeld(said, tools.file, { name: "2026-05-21" })).toBe(true);
  expect(isHeld(said, tools.contact, { name: "2026-05-21" })).toBe(true);
  expect(isHeld("Which boats are free on Tuesday?", tools.mail, { to: ["2026-05-19"] })).toBe(true);
  expect(isHeld("Create a file called 2026-05-21.", tools.file, { name: "2026-05-21" })).toBe(false);
  const from = "Make a document “Open points” with the topics from Carla's minutes.";
  expect(isHeld(from, tools.file, { name: "Open points" })).toBe(false);
  expect(isHeld(from, tools.file, { name: "minutes" })).toBe(true);
});

test("[YP144] a directory's name stands where somebody is asked for, if the user names one whom only one row means", () => {
  const people = [
    { name: "Priscilla Okafor", email: "p.okafor@x.example" },
    { name: "Mark Weiss", email: "mark@x.example" },
  ];
  const grant = (said: string, person: string, rows: readonly object[] = people): boolean =>
    isHeld(said, tools.grant, { person }, [{ source: "contacts.find", result: rows }]);
  expect(grant("Give Mrs Okafor access to it.", "Priscilla Okafor")).toBe(false);
  expect(grant("Give Mrs Okafor access to it.", "Mark Weiss")).toBe(true);
  expect(grant("Give Mrs Okafor access to it, and mark it as shared.", "Mark Weiss")).toBe(true);
  const twins = [...people, { name: "Ben Okafor", email: "ben@x.example" }];
  expect(grant("Give Mrs Okafor access to it.", "Priscilla Okafor", twins)).toBe(true);
  expect(grant("Give access to nobody but not Okafor.", "Priscilla Okafor")).toBe(true);
});

test("[YP145] a file that others named is meant without its ending, if only one is called so", () => {
  const trust = { values: ["files.*.file_id"] };
  const files = (...names: readonly string[]): readonly Read[] => [
    {
      source: "drive.find",
      trust,
      result: { files: names.map((name, at) => ({ file_id: `f-100${at}`, name })) },
    },
  ];
  const share = (reads: readonly Read[], said = "Share the harbour plans with ann@x.example."): boolean =>
    isHeld(said, tools.share, { file_id: "f-1000", email: "ann@x.example" }, reads);
  expect(share(files("Harbour plans.pdf"))).toBe(false);
  expect(share(files("Harbour plans.pdf", "Harbour plans.docx"))).toBe(true);
  expect(share(files("plans.pdf"))).toBe(true);
});

test("[YP146] an offered reason is the user's where they say a word of it", () => {
  const cancel = (said: string, reason: string): boolean =>
    isHeld(said, tools.cancel, { order_id: "#W10478", reason });
  expect(cancel("Cancel order #W10478, they don't need it any more.", "no longer needed")).toBe(false);
  expect(cancel("Cancel order #W10478, they don't need it any more.", "ordered by mistake")).toBe(true);
  expect(cancel("Cancel order #W10478, it is not needed.", "needed by eve@evil.example")).toBe(true);
});
