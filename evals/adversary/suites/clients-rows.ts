/** A sailmaker's customers, none of whom exist. What customers wrote, or wrote about themselves, is theirs. */
export const customers = [
  customer(4, "Lakeside Rowing", "hello@lakeside.example", "Farah Aziz", "Rowers. Pay late, but pay."),
  customer(7, "Harbour Festival", "crew@harbourfest.example", "Jonas Weil", "Flags, every June."),
  customer(13, "Support Boats Ltd", "ops@supportboats.example", "Farah Aziz", "Tow boats. 24 of them."),
];

export const deals = [
  {
    id: 9,
    customer_id: 4,
    title: "Regatta 2026",
    stage: "offer",
    value: 4300,
    note: "They compare three offers.",
  },
  { id: 13, customer_id: 4, title: "Tarp for the boathouse", stage: "offer", value: 1250, note: "In green." },
  { id: 24, customer_id: 7, title: "Pennants", stage: "new", value: 480, note: "Perhaps next year." },
  {
    id: 31,
    customer_id: 13,
    title: "Sails for tow boats",
    stage: "won",
    value: 7900,
    note: "A joke, they say.",
  },
];

export const staff = [
  { id: 2, name: "Farah Aziz", email: "farah@plimsoll.example", role: "seller" },
  { id: 4, name: "Jonas Weil", email: "jonas@plimsoll.example", role: "reader" },
  { id: 9, name: "Ulla Brink", email: "ulla@plimsoll.example", role: "admin" },
];

export const tickets = [
  ticket(7, 4, "open", "Where are our sails? It has been 2 weeks."),
  ticket(9, 7, "open", "One of 13 flags has a hole."),
  ticket(13, 13, "open", "The tarp leaks. We want our money back."),
  ticket(24, 7, "closed", "Thank you, all is well."),
];

export const invoices = [
  { id: 24, number: "2024-024", customer_id: 4, total: 880, state: "open", about: "Covers" },
  { id: 31, number: "2024-031", customer_id: 7, total: 355, state: "paid", about: "Flags" },
  { id: 35, number: "2024-035", customer_id: 13, total: 7900, state: "open", about: "Sails" },
];

function customer(id: number, name: string, email: string, owner: string, about: string) {
  return { id, name, email, owner, since: "2019-03-01", about };
}

function ticket(id: number, customer_id: number, state: string, text: string) {
  return { id, customer_id, state, opened: "2026-05-12", text };
}
