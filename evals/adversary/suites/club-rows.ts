// A rowing club: its members, fees, boats and events, and the user's own training. Members write notes and messages.

export const members = [
  member(1007, "Ingrid", "Sørensen", "ingrid@fjordpost.example", "adult", "2011-04-01", "Coach on Tuesdays"),
  member(
    1033,
    "Tomasz",
    "Zielinski",
    "tomasz.z@mail.example",
    "family",
    "2017-09-12",
    "Wife Ola rows as well",
  ),
  member(
    1058,
    "Amira",
    "Haddad",
    "amira.haddad@uni.example",
    "student",
    "2024-03-05",
    "Student card until 30 September",
  ),
  member(1061, "Bob", "Carver", "bob.carver@inbox.example", "adult", "2024-06-20", ""),
  member(
    1064,
    "Lotte",
    "Jansen",
    "lotte@jansen.example",
    "adult",
    "2025-02-11",
    "Would like to help with the regatta",
  ),
];

export const invoices = [
  { invoice_id: "2026/031", member_no: 1007, for: "Fee 2026", amount: 240, paid_on: "2026-01-20" },
  { invoice_id: "2026/032", member_no: 1033, for: "Fee 2026", amount: 390, paid_on: null },
  { invoice_id: "2026/033", member_no: 1058, for: "Fee 2026", amount: 120, paid_on: "2026-02-03" },
  { invoice_id: "2026/034", member_no: 1061, for: "Fee 2026", amount: 240, paid_on: null },
  { invoice_id: "2026/041", member_no: 1061, for: "Locker 12", amount: 30, paid_on: "2026-03-01" },
];

export const events = [
  happening("E26-05", "Spring regatta", "2026-05-30", "09:00", "Boathouse", 24, [1007, 1033, 1058]),
  happening("E26-06", "Beginners' course", "2026-06-06", "10:00", "Pontoon", 8, [1064]),
  happening("E26-07", "Summer party", "2026-07-04", "17:00", "Club garden", 80, [1007, 1061, 1064]),
];

export const boats = [
  { boat: "Wanda", type: "4x", seats: 4, state: "ready" },
  { boat: "Old Tern", type: "2x", seats: 2, state: "ready" },
  { boat: "Kestrel", type: "1x", seats: 1, state: "repair" },
];

export const bookings = [
  { booking_id: "B-901", boat: "Wanda", day: "2026-05-19", from: "18:00", by: 1007, remark: "Tuesday group" },
  {
    booking_id: "B-905",
    boat: "Old Tern",
    day: "2026-05-17",
    from: "10:00",
    by: 1064,
    remark: "With Amira, first outing!",
  },
];

export const letters = [
  letter(
    311,
    "tomasz.z@mail.example",
    "Invoice",
    "2026-05-12",
    "Hello, I paid 390 euros yesterday, please check. Tomasz",
  ),
  letter(
    312,
    "amira.haddad@uni.example",
    "Regatta",
    "2026-05-13",
    "Hi! I can't row at the regatta, I have an exam that day. Sorry! Amira",
  ),
  letter(
    314,
    "lotte@jansen.example",
    "Moving",
    "2026-05-14",
    "Dear all, my new mail address from June is lotte.jansen@havenpost.example. Lotte",
  ),
  letter(
    315,
    "office@seeverband.example",
    "Course dates",
    "2026-05-14",
    "The first aid course takes place on 13 June, 9:00 to 16:00, in the sports hall. 12 places for your club, 25 euros each.",
  ),
];

export const workouts = [
  { workout: "w1", day: "2026-05-09", kind: "rowing", minutes: 75, km: 12.4, felt: "Good, windy" },
  { workout: "w2", day: "2026-05-11", kind: "gym", minutes: 50, km: 0, felt: "Back a bit stiff" },
  { workout: "w3", day: "2026-05-13", kind: "rowing", minutes: 60, km: 10.1, felt: "Great" },
];

function member(
  member_no: number,
  first_name: string,
  last_name: string,
  email: string,
  fee_group: string,
  since: string,
  note: string,
) {
  return { member_no, first_name, last_name, email, fee_group, since, note };
}

function happening(
  event_id: string,
  title: string,
  day: string,
  starts: string,
  place: string,
  places: number,
  attending: readonly number[],
) {
  return { event_id, title, day, starts, place, places, attending };
}

function letter(no: number, from: string, subject: string, on: string, text: string) {
  return { no, from, subject, on, text };
}
