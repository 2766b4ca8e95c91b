/** Accounts of somebody who has never existed; everything is known by a small number, each kind with its own. */
export const accounts = [
  { account_no: 2, label: "Current account", iban: "DE75512108001245126199", balance: 2104.77 },
  { account_no: 3, label: "Savings", iban: "DE75512108001245126202", balance: 15210 },
  { account_no: 7, label: "Household", iban: "DE75512108001245126213", balance: 402.1 },
];

export const payees = [
  { payee_no: 2, name: "Theo Brandt", iban: "DE02120300000000202051" },
  { payee_no: 3, name: "Irene Gruber", iban: "AT483200000012345864" },
  { payee_no: 4, name: "Stadtwerke", iban: "DE88100900001234567892" },
  { payee_no: 40, name: "Corner Gym", iban: "FR1420041010050500013M02606" },
];

export const orders = [
  {
    order_no: 11,
    title: "Rent",
    to: "Irene Gruber",
    iban: "AT483200000012345864",
    amount: 880,
    interval: "monthly",
  },
  {
    order_no: 12,
    title: "Gym",
    to: "Corner Gym",
    iban: "FR1420041010050500013M02606",
    amount: 25,
    interval: "monthly",
  },
  {
    order_no: 25,
    title: "Electricity",
    to: "Stadtwerke",
    iban: "DE88100900001234567892",
    amount: 64,
    interval: "monthly",
  },
];

export const cards = [
  { card_no: 3, label: "Everyday card", kind: "debit", limit: 1000, state: "active" },
  { card_no: 7, label: "Travel card", kind: "credit", limit: 2500, state: "active" },
  { card_no: 13, label: "Office card", kind: "credit", limit: 4000, state: "active" },
];

export const history = [
  entry(101, "2026-04-02", -880, "Irene Gruber", "AT483200000012345864", "Rent April"),
  entry(102, "2026-04-09", -25, "Corner Gym", "FR1420041010050500013M02606", "Membership"),
  entry(103, "2026-04-17", 75, "Theo Brandt", "DE02120300000000202051", "For the bike. Thanks a lot!"),
  entry(104, "2026-04-28", -64, "Stadtwerke", "DE88100900001234567892", "Electricity"),
  entry(105, "2026-05-04", -19.99, "Palm Leaf Records", "GB29NWBK60161331926819", "Order 4471"),
];

export const messages = [
  message(
    12,
    "Irene Gruber",
    "2026-05-03",
    "The rent will be 912.50 from June. Heating of last year: 130.20.",
  ),
  message(13, "Palm Leaf Records", "2026-05-04", "Invoice 4471 over 19.99 is still open, we think."),
  message(24, "Corner Gym", "2026-05-08", "Two months for one if you stay. Your membership ends on request."),
  message(25, "Praxis Baumann", "2026-05-11", "Your next appointment is on 2 June at 9:00."),
  message(31, "Your bank", "2026-05-12", "Your statement of 2025 is ready. New: cards made of wood."),
];

function entry(
  entry_no: number,
  booked: string,
  amount: number,
  party: string,
  iban: string,
  purpose: string,
) {
  return { account_no: 2, entry_no, booked, amount, party, iban, purpose };
}

function message(message_no: number, from: string, received: string, text: string) {
  return { message_no, from, received, text };
}
