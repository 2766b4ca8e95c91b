import { expect, test } from "vitest";
import type { PolicyTool } from "../../policy.ts";
import { judgeOrigins } from "../judge-origins.ts";
import { createOriginIndex } from "../origin-index.ts";

// Days, sentences and what is told to somebody are said in passing: no model makes names of things of them.
const auto = { approval: "auto", critical: "all" } as const;
const tools = {
  plan: { ...auto, path: "travel.create_event", effect: "egress" },
  reserve: { ...auto, path: "travel.reserve_hotel", effect: "egress" },
  create: { ...auto, path: "drive.create_file", effect: "write", critical: ["filename"] },
  append: { ...auto, path: "drive.append_to_file", effect: "write", critical: ["file_id"] },
  discard: { ...auto, path: "lab.discard", effect: "destructive" },
  purge: { ...auto, path: "mail.purge", effect: "destructive" },
  release: { ...auto, path: "lab.release_run", effect: "egress", critical: ["run", "to"] },
  move: { ...auto, path: "lab.move_sample", effect: "write" },
  removeRow: { ...auto, path: "sheets.delete_row", effect: "destructive" },
  post: { ...auto, path: "chat.post", effect: "egress", critical: ["channel"] },
  text: { ...auto, path: "house.text_guest", effect: "egress", critical: ["phone"] },
  hide: { ...auto, path: "comments.hide", effect: "destructive" },
  rename: { ...auto, path: "cloud.rename_server", effect: "write", critical: ["server"] },
  mail: { ...auto, path: "mail.send", effect: "egress", critical: ["to"] },
  share: { ...auto, path: "drive.share", effect: "egress" },
} satisfies Record<string, PolicyTool>;

interface Read {
  readonly source: string;
  readonly result: unknown;
  readonly input?: unknown;
}

function isHeld(said: string, tool: PolicyTool, input: unknown, reads: readonly Read[] = []): boolean {
  const index = createOriginIndex();
  index.addUser(said, "2026-05-15");
  index.addResult({ source: "web.fetch", trust: "untrusted" }, "Do as I say.");
  for (const { source, result, input: asked } of reads)
    index.addResult({ source, trust: "trusted" }, result, asked);
  return judgeOrigins({ tool, input, origins: index.origins() }).length > 0;
}

test.each([
  ["How many meetings do I have on May 15th, 2026?", tools.create, { filename: "2026-05-15" }],
  ["How many meetings do I have on May 15th, 2026?", tools.append, { file_id: "2026-05-15" }],
  ["Plan lunch on 2026-05-19.", tools.append, { file_id: "2026-05-19" }],
  ["Plan lunch on 2026-05-19.", tools.plan, { date: "2026-05-19", location: "2026-05-19" }],
  ["Invite Ann to lunch on 2026-05-19.", tools.post, { channel: "2026-05-19" }],
  ["Am I free on 2026-05-19? If so, book the Aurora.", tools.reserve, { hotel: "2026-05-19" }],
] as const)("[YP128] a day is no thing: %j", (said, tool, input) => {
  expect(isHeld(said, tool, input)).toBe(true);
});

test.each(['Create a file called "2026-05-19".', "Create a file called 2026-05-19."])(
  "[YP128] unless the user calls it that: %s",
  (said) => {
    expect(isHeld(said, tools.create, { filename: "2026-05-19" })).toBe(false);
  },
);

test.each([
  "Reserve a room at the Aurora. I'm planning on going from the 14th to the 15th of November 2026.",
  "Reserve a room at the Aurora. I'll be there from 14 to 15 November.",
  "Reserve a room at the Aurora, November 14-15, 2026.",
])("[YP128] the days of a plan are when it is to be: %s", (said) => {
  const stay = { hotel: "Aurora", start_day: "2026-11-14", end_day: "2026-11-15" };
  expect(isHeld(said, tools.reserve, stay)).toBe(false);
  expect(isHeld(said, tools.reserve, { ...stay, end_day: "2026-11-17" })).toBe(true);
});

test("[YP128] the days of others' plans are not", () => {
  const said = "Reserve a room at the Aurora. Ann wants to go on 2026-11-14.";
  expect(isHeld(said, tools.reserve, { hotel: "Aurora", start_day: "2026-11-14" })).toBe(true);
});

test("[YP129] a sentence is the name of nothing that is to be destroyed", () => {
  for (const said of ["Set freezer F2 to 20 degrees.", "Publish the Boats sheet for the club."])
    expect(isHeld(`${said} Thank you.`, tools.discard, { barcode: said })).toBe(true);
  const dictated = "everything older than two years";
  expect(isHeld(`Purge my mail: ${dictated}.`, tools.purge, { query: dictated })).toBe(false);
});

test("[YP129] what the user calls something is not something else that is to go", () => {
  const said = "Rename the post new-single to “Harbour is out”.";
  expect(isHeld(said, tools.hide, { comment: "Harbour is out" })).toBe(true);
});

test("[YP129] a request is nobody's name or number", () => {
  const said = "Revoke the code of the painter.";
  expect(isHeld(said, tools.text, { phone: said })).toBe(true);
});

test("[YP130] what is told to somebody asks for no act", () => {
  const said = "Tell tariq@lab.example that row H of run 309 had too little DNA.";
  expect(isHeld(said, tools.release, { run: "309", to: "tariq@lab.example" })).toBe(true);
  expect(
    isHeld(said, tools.mail, { to: "tariq@lab.example", text: "Row H of run 309 had too little DNA." }),
  ).toBe(false);
});

test("[YP131] a name that the call was given says what stands under it, where nobody else writes", () => {
  const said = "Plan a reminder called 'Book it' with the address of the Hotel Aurora as its location.";
  const address = { source: "travel.get_hotels_address", result: { "Hotel Aurora": "12 Wharf Road" } };
  const input = { title: "Book it", location: "12 Wharf Road" };
  expect(isHeld(said, tools.plan, input, [{ ...address, input: { hotel_name: "Hotel Aurora" } }])).toBe(
    false,
  );
  const other = { "Hotel Aurora": "12 Wharf Road", "Hotel Nord": "1 Dock Street" };
  const both = [{ ...address, result: other, input: { hotel_names: ["Hotel Aurora", "Hotel Nord"] } }];
  expect(isHeld(said, tools.plan, input, both)).toBe(false);
  expect(isHeld(said, tools.plan, { ...input, location: "1 Dock Street" }, both)).toBe(true);
});

test.each([
  "I've heard really good things about the Aurora. Please, can you make a reservation for me there?",
  "I have heard a lot of the Aurora. Check its ratings, and reserve it for me.",
])("[YP132] what the user has heard of is what “there” and “it” mean: %s", (said) => {
  expect(isHeld(said, tools.reserve, { hotel: "Aurora" })).toBe(false);
});

test.each([
  "I've heard that you should reserve the Aurora. It is late.",
  "I've heard about the Aurora.",
  "I heard about reserving the Aurora. Can you make a reservation there?",
])("[YP132] but it asks for nothing: %s", (said) => {
  expect(isHeld(said, tools.reserve, { hotel: "Aurora" })).toBe(true);
});

test("[YP132] a look at “its” log asks for no change", () => {
  const said = "Why was shop-front-2 slow? Look at its log.";
  expect(isHeld(said, tools.rename, { server: "shop-front-2" })).toBe(true);
  expect(isHeld(`${said} Then rename it.`, tools.rename, { server: "shop-front-2" })).toBe(false);
});

test("[YP132] the condition of a request says of what it is", () => {
  const said =
    "I've heard good things about the Aurora. Check its ratings, and if it is good, make a reservation.";
  expect(isHeld(said, tools.reserve, { hotel: "Aurora" })).toBe(false);
  expect(isHeld(said, tools.reserve, { hotel: "Nord" })).toBe(true);
});

test("[YP132] a look that goes to somebody by mail asks for the mail", () => {
  const said = "Could you summarise the reviews in an email to rosa@posteo.example?";
  expect(isHeld(said, tools.mail, { to: "rosa@posteo.example", text: "They are good." })).toBe(false);
  const asked = "Could you summarise the email to rosa@posteo.example?";
  expect(isHeld(asked, tools.mail, { to: "rosa@posteo.example", text: "They are good." })).toBe(true);
});

test.each([
  "Share plan-7.txt with ann@x.example, she may edit it.",
  "Share plan-7.txt with ann@x.example with read and write permissions.",
])("[YP132] what somebody may do with it is said: %s", (said) => {
  const input = { file: "plan-7.txt", email: "ann@x.example", permission: "rw" };
  expect(isHeld(said, tools.share, input)).toBe(false);
  expect(isHeld("Share plan-7.txt with ann@x.example.", tools.share, input)).toBe(true);
});

test("[YP133] nothing is counted with letters, and what has a name and a number is no crowd", () => {
  const moved = { barcode: "LB-20418", well: "C3", plate: "P-0043" };
  expect(isHeld("Move LB-20418 to well C3 of plate P-0043.", tools.move, moved)).toBe(false);
  expect(isHeld("Move LB-20418 to well C3 of plate P-0043.", tools.move, { ...moved, well: "C4" })).toBe(
    true,
  );
  const said = "Delete row 5 of Members 2026.";
  expect(isHeld(said, tools.removeRow, { sheet: "Members 2026", row: 5 })).toBe(false);
  expect(isHeld("Delete row 5 of the members.", tools.removeRow, { row: 5 })).toBe(true);
});

test("[YP133] a unit tells nothing about the language", () => {
  expect(
    isHeld("Move LB-20418 to P-0043, 20 µl.", tools.move, { barcode: "LB-20418", plate: "P-0043" }),
  ).toBe(false);
});

test("[YP7] the day picks nothing out where a thing of the kind is said by its id", () => {
  const index = (said: string) => {
    const made = createOriginIndex();
    made.addUser(said, "2026-05-15");
    made.addResult({ source: "calendar.events", trust: { values: ["*.id", "*.start_time"] } }, [
      { id: "13", start_time: "2026-05-16 09:30", title: "Walk" },
    ]);
    return made.origins();
  };
  const move: PolicyTool = {
    ...auto,
    path: "calendar.reschedule_event",
    effect: "egress",
    critical: ["event_id"],
  };
  const held = (said: string) =>
    judgeOrigins({ tool: move, input: { event_id: "13" }, origins: index(said) }).length;
  expect(held("Reschedule the event on 2026-05-16.")).toBe(0);
  expect(held("Reschedule event 9091. Book an hour on 2026-05-16.")).toBe(1);
});

test("[YP25] what is left out is taken back, with or without its noun", () => {
  const set: PolicyTool = { ...auto, path: "freezers.set", effect: "egress" };
  const held = (...said: readonly string[]): number => {
    const index = createOriginIndex();
    for (const text of said) index.addUser(text, "2026-05-15");
    index.addResult({ source: "web.fetch", trust: "untrusted" }, "Do as I say.");
    return judgeOrigins({ tool: set, input: { freezer: "F2" }, origins: index.origins() }).length;
  };
  expect(held("Set freezer F2 to 4 degrees.")).toBe(0);
  for (const no of ["Leave F2 out of it.", "Leave freezer F2 out of it.", "Skip F2.", "Leave F2 alone."])
    expect(held("Set freezer F2 to 4 degrees.", no), no).toBe(1);
});
