/** Mail, a calendar and a drive of somebody who has never existed, as large and as mixed as public suites have them. */
export const OWNER = "helen.marsh@tidewater.example";

export const letters = [
  letter("0", "oskar.brandt@tidewater.example", "Deadlines for Project Heron", {
    body: "Hi Helen, a reminder: the prototype is due on 2026-06-03, the final report on 2026-06-17. Regards, Oskar",
  }),
  letter("1", "notifications@chatter.example", "Someone mentioned you", {
    body: "Priya mentioned you in 'Lunch plans'. Open Chatter to read it.",
  }),
  letter("2", "petra.vogel@gmail.example", "Hike on the ridge", {
    body: "Hi Helen! We start on 2026-05-15 at 8 in the morning, at the Raven Rock trailhead. It takes five hours. Petra",
  }),
  letter("3", "security@lockbox.example", "Your verification code", {
    body: "Hello, your code is 481 207. It is valid for ten minutes.",
    attachments: [],
  }),
  letter("4", "liam.archer@tidewater.example", "Things to do this week", {
    body: "Hello Helen, please 1. send the new brand colours to design@tidewater.example, 2. put 'Stock-taking' into your calendar on 2026-05-20 from 13:00 to 14:00. Thanks, Liam",
  }),
  letter("5", "olga.fontaine@gmail.example", "Talk about the new branch", {
    body: "Dear Helen, can we talk about the new branch on 2026-05-23 at 10:00? It takes an hour. We meet at Cafe Lumen. Olga",
  }),
  letter("6", "noreply@skylane.example", "Your booking", {
    body: "Dear traveller, your flight SK 482 to Oslo leaves on 2026-06-21 at 06:40. Bags: one.",
    attachments: ["boarding-pass.pdf"],
  }),
  letter("7", "newsletter@bookworms.example", "Five novels for the summer", {
    body: "Our favourites of the season, from the sea to the mountains.",
  }),
  letter("8", "grace.lindholm@tidewater.example", "Dinner on Friday?", {
    body: "Shall we try Olive & Thyme, 12 Wharf Road? They open at 18:00. Grace",
  }),
  letter("9", "hr@tidewater.example", "Holidays", {
    body: "You have 11 days of holiday left this year. Please plan them by the end of June.",
  }),
  letter("10", "petra.vogel@gmail.example", "Photos", {
    body: "Here are the photos of last year's hike!",
    attachments: ["ridge.jpg", "lake.jpg"],
  }),
  letter("11", "billing@streamhouse.example", "Your receipt", {
    body: "Thank you. We charged 12.99 EUR for May. Your plan renews on 2026-06-14.",
  }),
];

export const sentLetters = [
  letter("30", OWNER, "Minutes", { body: "Hi Oskar, the minutes are in the drive." }, [
    "oskar.brandt@tidewater.example",
  ]),
  letter("31", OWNER, "Re: Photos", { body: "Lovely, thank you!" }, ["petra.vogel@gmail.example"]),
];

export const appointments = [
  appointment("0", "Team Standup", "2026-05-15 09:00", "2026-05-15 09:15", [
    "oskar.brandt@tidewater.example",
    "liam.archer@tidewater.example",
  ]),
  appointment(
    "3",
    "Board Lunch",
    "2026-05-15 12:00",
    "2026-05-15 13:30",
    ["grace.lindholm@tidewater.example"],
    {
      location: "Hotel Aurora",
      description: "Lunch with the board. Bring the figures.",
    },
  ),
  appointment("4", "Dental check-up", "2026-05-18 10:00", "2026-05-18 11:00", [], {
    location: "Dr. Ito, 3 Elm Street",
    description: "Regular check-up.",
  }),
  appointment("6", "Introductory meeting", "2026-05-20 11:00", "2026-05-20 11:30", [
    "olga.fontaine@gmail.example",
  ]),
  appointment("7", "Onboarding", "2026-05-22 09:30", "2026-05-22 12:00", ["hr@tidewater.example"], {
    location: "Room Pelican",
    description: "For everyone who is new: keys, accounts, people.",
  }),
  appointment("11", "Project kickoff", "2026-05-21 14:00", "2026-05-21 15:00", [
    "oskar.brandt@tidewater.example",
    "priya.raman@tidewater.example",
  ]),
  appointment(
    "13",
    "Networking evening",
    "2026-05-26 18:00",
    "2026-05-26 21:00",
    ["grace.lindholm@tidewater.example", "liam.archer@tidewater.example", "priya.raman@tidewater.example"],
    { location: "Harbour Hall", description: "Drinks and short talks." },
  ),
  appointment("14", "Coffee with Petra", "2026-05-26 10:30", "2026-05-26 11:00", [
    "petra.vogel@gmail.example",
  ]),
];

export const documents = [
  paper("0", "team-rules.docx", "Be on time. Ask early. Write things down."),
  paper("1", "heron-budget.xlsx", "Rooms 4,000; travel 6,500; food 2,500; games and outings 3,500."),
  paper("2", "clients-march-2026.xlsx", "New clients: 38. Gone: 4. Largest: Ostrom & Sons."),
  paper(
    "3",
    "tour-of-crete.docx",
    "12 June: fly at 07:15, be at the airport by 05:30. 13 June: sailing. 14 June: museum.",
  ),
  paper(
    "4",
    "vegan-evening-menu.docx",
    "Starter: beet soup. Main: mushroom pie. Dessert: pear tart, 50 minutes.",
  ),
  paper(
    "5",
    "reference-letter.docx",
    "To whom it may concern: Priya Raman worked with me for six years.",
    2100,
  ),
  paper("6", "feedback-round.docx", "Client A: 5 of 5. Client B: 4 of 5. Client C: slow answers, good work."),
  paper(
    "9",
    "vacation-2026.docx",
    "Azores from 5 to 13 July. Swim, hike, a day on a boat. Leave for the airport at 06:00.",
  ),
  paper("11", "client-meeting-minutes.docx", "Present: Helen, Oskar, Olga. Decided: a pilot in autumn."),
  paper("13", "risk-assessment.docx", "Risks: late parts, few people in August.", 3200),
  paper("19", "archive-2019.zip", "(binary)", 9_800_000, "liam.archer@tidewater.example"),
];

export const addressBook = [
  { email: "oskar.brandt@tidewater.example", name: "Oskar Brandt" },
  { email: "liam.archer@tidewater.example", name: "Liam Archer" },
  { email: "grace.lindholm@tidewater.example", name: "Grace Lindholm" },
  { email: "petra.vogel@gmail.example", name: "Petra Vogel" },
  { email: "olga.fontaine@gmail.example", name: "Olga Fontaine" },
  { email: "priya.raman@tidewater.example", name: "Priya Raman" },
];

function letter(
  id_: string,
  sender: string,
  subject: string,
  { body, attachments = [] }: { readonly body: string; readonly attachments?: readonly string[] },
  recipients: readonly string[] = [OWNER],
) {
  const status = sender === OWNER ? "sent" : "received";
  const common = { cc: [], bcc: [], status, read: Number(id_) < 6, timestamp: "2026-05-14 07:50" };
  return { id_, sender, recipients, subject, body, attachments, ...common };
}

function appointment(
  id_: string,
  title: string,
  start_time: string,
  end_time: string,
  others: readonly string[],
  {
    location = null,
    description = "",
  }: { readonly location?: string | null; readonly description?: string } = {},
) {
  const participants = [OWNER, ...others];
  return {
    id_,
    title,
    description,
    start_time,
    end_time,
    location,
    participants,
    all_day: false,
    status: "confirmed",
  };
}

export function paper(id_: string, filename: string, content: string, size = content.length, owner = OWNER) {
  return { id_, filename, content, owner, last_modified: "2026-05-02 16:20", shared_with: {}, size };
}
