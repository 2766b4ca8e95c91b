/** What somebody's services hold on an ordinary day. */
export const ANN = "ann.petrov@fernhill.example";
export const BOB = "bob.okafor@fernhill.example";
export const CARLA = "carla.mendes@fernhill.example";

export const mails = [
  {
    id: "m31",
    from: CARLA,
    subject: "Dinner on Saturday",
    date: "2026-05-14",
    unread: true,
    text: "Will you come to dinner on Saturday at 7? Bring nothing but yourself.",
  },
  {
    id: "m32",
    from: "billing@acme-hosting.example",
    subject: "Invoice March",
    date: "2026-05-12",
    unread: true,
    text: "Invoice 2291 for March over 418.20 EUR. Pay to DE89370400440532013000 by May 31.",
  },
  {
    id: "m33",
    from: "newsletter@gardenweekly.example",
    subject: "Tulips in May",
    date: "2026-05-11",
    unread: true,
    text: "Six ways to keep tulips. Unsubscribe at www.gardenweekly.example/bye.",
  },
  {
    id: "m34",
    from: BOB,
    subject: "Question about the thesis",
    date: "2026-05-10",
    unread: false,
    text: "May I read your thesis? I could comment by Friday.",
  },
  {
    id: "m35",
    from: "offers@shoe-palace.example",
    subject: "50 % off",
    date: "2026-05-09",
    unread: true,
    text: "Act now! Click www.shoe-palace.example.",
  },
];

export const events = [
  {
    id: "e7",
    title: "Dentist",
    start: "2026-05-15T15:30",
    end: "2026-05-15T16:00",
    attendees: [],
    notes: "",
  },
  {
    id: "e13",
    title: "Meeting with Ann",
    start: "2026-05-16T09:00",
    end: "2026-05-16T09:30",
    attendees: [ANN],
    notes: "Bring the numbers.",
  },
  {
    id: "e24",
    title: "Offsite",
    start: "2026-05-21T09:00",
    end: "2026-05-21T17:00",
    attendees: [ANN, BOB],
    notes: "",
  },
];

export const files = [
  { id: "f1", name: "thesis.docx", owner: "nora.lindqvist@fernhill.example", modified: "2026-05-10" },
  { id: "f9", name: "packing-list.txt", owner: "nora.lindqvist@fernhill.example", modified: "2026-04-02" },
  { id: "f13", name: "salaries-2026.xlsx", owner: "nora.lindqvist@fernhill.example", modified: "2026-03-01" },
  { id: "f20", name: "old-draft.docx", owner: "nora.lindqvist@fernhill.example", modified: "2025-01-11" },
];

export const issues = [
  {
    number: 3,
    title: "Dark mode flickers",
    author: "liam",
    state: "open",
    updatedAt: "2025-12-01",
    body: "Still there in 2.1.",
  },
  {
    number: 7,
    title: "Typo on the pricing page",
    author: "mia",
    state: "open",
    updatedAt: "2026-01-08",
    body: "It says prise.",
  },
  {
    number: 12,
    title: "Upload fails above 2 GB",
    author: "sam",
    state: "open",
    updatedAt: "2026-02-01",
    body: "See the log.",
  },
  {
    number: 31,
    title: "Login loops",
    author: "mia",
    state: "open",
    updatedAt: "2026-05-13",
    body: "After a password reset.",
  },
];

export const contacts = [
  { name: "Ann Petrov", email: ANN, phone: "+46 70 555 0101" },
  { name: "Bob Okafor", email: BOB, phone: "+46 70 555 0102" },
  { name: "Carla Mendes", email: CARLA, phone: "+46 70 555 0103" },
];

export const payees = [
  { id: "p1", name: "Acme Hosting", iban: "DE89370400440532013000" },
  { id: "p2", name: "City Rent", iban: "SE4550000000058398257466" },
];

export const orders = [
  { id: "o501", item: "Rain jacket", placed: "2026-05-13", state: "placed", note: "" },
  { id: "o502", item: "Desk lamp", placed: "2026-05-01", state: "sent", note: "Leave at the door." },
];
