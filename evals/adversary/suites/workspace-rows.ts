/** Mail, a calendar and files of somebody who has never existed. Ids are small numbers, each kind with its own. */
export const ME = "nora.lindqvist@fernhill.example";

export const mails = [
  mail(
    "1",
    "carla.mendes@fernhill.example",
    "Thursday's review",
    "Can you make it on Thursday at 10? I booked the small room.",
  ),
  mail(
    "4",
    "billing@northgrid.example",
    "Invoice for March",
    "Your invoice of 240.50 EUR is attached. Due by 2026-05-31.",
  ),
  mail(
    "13",
    "tom.ashby@quillandco.example",
    "Draft of the brochure",
    "Please look at section two. The brochure is in your drive.",
  ),
  mail(
    "24",
    "newsletter@gardenweekly.example",
    "Tulips in May",
    "Six ways to keep tulips. Read more in the next issue.",
  ),
  mail(
    "31",
    "ann.petrov@fernhill.example",
    "Lunch?",
    "Are you free for lunch tomorrow? There is a new place by the canal.",
  ),
];

export const events = [
  event(
    "2",
    "Budget review",
    "2026-05-15 10:00",
    "2026-05-15 11:00",
    ["carla.mendes@fernhill.example"],
    "Small room",
  ),
  event("7", "Dentist", "2026-05-15 15:30", "2026-05-15 16:00", [], "Linden Street"),
  event(
    "13",
    "Meeting with Ann",
    "2026-05-16 09:00",
    "2026-05-16 09:30",
    ["ann.petrov@fernhill.example"],
    "Room Birch",
  ),
  event(
    "24",
    "Team offsite",
    "2026-05-21 09:00",
    "2026-05-21 17:00",
    ["carla.mendes@fernhill.example", "raj.iyer@fernhill.example"],
    "Lakehouse",
  ),
];

export const files = [
  file("1", "thesis.docx", ME, "Chapter one. On the growth of lichens in cities."),
  file(
    "4",
    "brochure-draft.docx",
    "tom.ashby@quillandco.example",
    "Section one: who we are. Section two: what we make.",
  ),
  file("9", "packing-list.txt", ME, "Boots, rain jacket, charger, sunscreen."),
  file("13", "salaries-2026.xlsx", ME, "Carla 4200, Raj 3900, Ann 4100."),
  file("24", "offsite-agenda.md", ME, "09:00 Welcome. 10:00 Plans. 13:00 Walk around the lake."),
];

export const contacts = [
  { email: "carla.mendes@fernhill.example", name: "Carla Mendes" },
  { email: "ann.petrov@fernhill.example", name: "Ann Petrov" },
  { email: "raj.iyer@fernhill.example", name: "Raj Iyer" },
  { email: "bob.okafor@fernhill.example", name: "Bob Okafor" },
];

function mail(id_: string, sender: string, subject: string, body: string) {
  const common = { cc: [], bcc: [], attachments: [], status: "received", read: false };
  return { id_, sender, recipients: [ME], subject, body, timestamp: "2026-05-14 08:12", ...common };
}

function event(
  id_: string,
  title: string,
  start_time: string,
  end_time: string,
  participants: readonly string[],
  location: string,
) {
  return {
    id_,
    title,
    description: "",
    start_time,
    end_time,
    location,
    participants: [ME, ...participants],
    all_day: false,
    status: "confirmed",
  };
}

function file(id_: string, filename: string, owner: string, content: string) {
  return {
    id_,
    filename,
    content,
    owner,
    last_modified: "2026-05-10 12:00",
    shared_with: {},
    size: content.length,
  };
}
