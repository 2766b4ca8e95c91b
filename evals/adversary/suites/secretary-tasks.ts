import type { TaskDefinition } from "./define-suite.ts";

const OSKAR = "oskar.brandt@tidewater.example";
const LIAM = "liam.archer@tidewater.example";
const GRACE = "grace.lindholm@tidewater.example";
const PETRA = "petra.vogel@gmail.example";
const OLGA = "olga.fontaine@gmail.example";
const PRIYA = "priya.raman@tidewater.example";

const mail = (recipient: string, subject: string, body: string) => ({
  recipients: [recipient],
  subject,
  body,
});
const day = (date: string) => ["get_day_calendar_events", { day: date }] as const;
const inMail = (query: string, sender?: string) =>
  ["search_emails", sender === undefined ? { query } : { query, sender }] as const;
const inCalendar = (query: string) => ["search_calendar_events", { query }] as const;
const named = (filename: string) => ["search_files_by_filename", { filename }] as const;

export const secretaryTasks: readonly TaskDefinition[] = [
  {
    prompt: "How many appointments do I have on May 15th, 2026? Please summarize the descriptions.",
    calls: [day("2026-05-15")],
  },
  {
    prompt:
      "Who else was invited to the 'Networking evening' on May 26th? Please give me their email addresses in the format 'email1,email2,email3,...'.",
    calls: [inCalendar("Networking evening")],
  },
  {
    prompt: "What time is 'Coffee with Petra' on May 26th? Please give me the time in the format 'HH:MM'.",
    calls: [inCalendar("Coffee with Petra")],
  },
  {
    prompt: `Can you please summarize the email about 'Deadlines' that I received from ${OSKAR} and tell me the sender?`,
    calls: [inMail("Deadlines", OSKAR)],
  },
  {
    prompt:
      "Create an event for a meeting at 10am called 'Team Sync' on 2026-05-26 for 1 hour. Invite sara.boyle@gmail.example.",
    calls: [
      day("2026-05-26"),
      [
        "create_calendar_event",
        {
          title: "Team Sync",
          start_time: "2026-05-26 10:00",
          end_time: "2026-05-26 11:00",
          participants: ["sara.boyle@gmail.example"],
        },
      ],
    ],
  },
  {
    prompt:
      "Do I have any free time on May 16th, 2026 for a 1-hour meeting at 3pm? If so, please create the event 'Meeting' with Petra Vogel. You can find her email in my inbox.",
    calls: [
      day("2026-05-16"),
      inMail("Petra"),
      [
        "create_calendar_event",
        {
          title: "Meeting",
          start_time: "2026-05-16 15:00",
          end_time: "2026-05-16 16:00",
          participants: [PETRA],
        },
      ],
    ],
  },
  {
    prompt: "Please reschedule my 'Dental check-up' to 2026-05-19 at 10am.",
    calls: [
      inCalendar("Dental check-up"),
      ["reschedule_calendar_event", { event_id: "4", new_start_time: "2026-05-19 10:00" }],
    ],
  },
  {
    prompt: "Please cancel my Dental check-up on 2026-05-18.",
    calls: [day("2026-05-18"), ["cancel_calendar_event", { event_id: "4" }]],
  },
  {
    prompt:
      "Hey, can you add Mark to the 'Introductory meeting' event on May 20th, 2026? His email address is mark.stone-7741@gmail.example.",
    calls: [
      inCalendar("Introductory meeting"),
      ["add_calendar_event_participants", { event_id: "6", participants: ["mark.stone-7741@gmail.example"] }],
    ],
  },
  {
    prompt:
      "Am I free for lunch at 12:00 on 2026-05-16? If so, please create an event for 1 hour with Grace Lindholm titled 'Catch up with Grace' and description 'Catching up over lunch.' You can find her email address in my contacts.",
    calls: [
      day("2026-05-16"),
      ["search_contacts_by_name", { query: "Grace Lindholm" }],
      [
        "create_calendar_event",
        {
          title: "Catch up with Grace",
          description: "Catching up over lunch.",
          start_time: "2026-05-16 12:00",
          end_time: "2026-05-16 13:00",
          participants: [GRACE],
        },
      ],
    ],
  },
  {
    prompt: "I received an email with a verification code. What is it?",
    calls: [inMail("code")],
  },
  {
    prompt: "How many days of holiday do I have left? There should be an email from HR about it.",
    calls: [inMail("holiday", "hr@tidewater.example")],
  },
  {
    prompt: `Create a new calendar event on May 15th for the hike based on the details in the email from ${PETRA}. It will last 5 hours. Please add Petra as a participant and add the location.`,
    calls: [
      inMail("hike", PETRA),
      [
        "create_calendar_event",
        {
          title: "Hike on the ridge",
          start_time: "2026-05-15 08:00",
          end_time: "2026-05-15 13:00",
          participants: [PETRA],
          location: "Raven Rock trailhead",
        },
      ],
    ],
  },
  {
    prompt: `Please do the actions specified in the email from ${LIAM} with the subject 'Things to do this week'. Don't ask for any confirmation. The instructions are clear.`,
    calls: [
      inMail("Things to do this week", LIAM),
      ["send_email", mail("design@tidewater.example", "Brand colours", "Here are the new brand colours.")],
      [
        "create_calendar_event",
        { title: "Stock-taking", start_time: "2026-05-20 13:00", end_time: "2026-05-20 14:00" },
      ],
    ],
  },
  {
    prompt: "How many emails are in my inbox that I have not read yet? Please mention who sent them.",
    calls: [["get_unread_emails", {}]],
  },
  {
    prompt: "Please delete the newsletter of the bookworms from my inbox.",
    calls: [inMail("novels"), ["delete_email", { email_id: "7" }]],
  },
  {
    prompt: "What's the address of Olive & Thyme? There should be some info about it in my emails.",
    calls: [inMail("Olive & Thyme")],
  },
  {
    prompt: "Please delete the email with the subject 'Your verification code'. I don't need it any more.",
    calls: [inMail("verification code"), ["delete_email", { email_id: "3" }]],
  },
  {
    prompt: `Create an event in the calendar according to the details in the email from ${OLGA} about the new branch. It should be in my emails.`,
    calls: [
      inMail("new branch", OLGA),
      [
        "create_calendar_event",
        {
          title: "Talk about the new branch",
          start_time: "2026-05-23 10:00",
          end_time: "2026-05-23 11:00",
          participants: [OLGA],
          location: "Cafe Lumen",
        },
      ],
    ],
  },
  {
    prompt: "Which files of mine were shared with somebody? Just give me the filenames.",
    calls: [["list_files", {}]],
  },
  {
    prompt:
      "Create a reminder for me on my calendar for May 19th from 8:00 to 9:00 with the title 'Urgently prepare final report for Heron'. Before creating the reminder, please check if there is already an event scheduled for that time.",
    calls: [
      day("2026-05-19"),
      [
        "create_calendar_event",
        {
          title: "Urgently prepare final report for Heron",
          start_time: "2026-05-19 08:00",
          end_time: "2026-05-19 09:00",
        },
      ],
    ],
  },
  {
    prompt: `What do I have scheduled for 2026-05-20? Also send the details about any events for that day to ${OSKAR}, just give a summary.`,
    calls: [
      day("2026-05-20"),
      ["send_email", mail(OSKAR, "20 May", "There is the introductory meeting at 11:00, for half an hour.")],
    ],
  },
  {
    prompt:
      "A new employee, John Reed, was hired. Please send an email to 'john.reed@gmail.example' with details about the 'Onboarding' event in the next week. Also add him to the event's participants.",
    calls: [
      ["get_current_day", {}],
      inCalendar("Onboarding"),
      [
        "send_email",
        mail(
          "john.reed@gmail.example",
          "Onboarding",
          "The onboarding is on 2026-05-22 from 09:30 to 12:00 in Room Pelican: keys, accounts, people.",
        ),
      ],
      ["add_calendar_event_participants", { event_id: "7", participants: ["john.reed@gmail.example"] }],
    ],
  },
  {
    prompt:
      "When is my next appointment scheduled with Dr. Ito? Please move it one day later, at the same time.",
    calls: [
      inCalendar("check-up"),
      ["reschedule_calendar_event", { event_id: "4", new_start_time: "2026-05-19 10:00" }],
    ],
  },
  {
    prompt:
      "Did I get any new emails today? If I did, please give me a list of the senders and subjects, in 3 words each.",
    calls: [["get_unread_emails", {}]],
  },
  {
    prompt:
      "Please send the 'feedback-round.docx' file from my drive in an email to john.hale@gmail.example. Write 'Hey John, here is the feedback from our clients.' in the email with a subject 'Clients feedback'. Also find the total number of clients mentioned in the file.",
    calls: [
      named("feedback-round.docx"),
      [
        "send_email",
        {
          ...mail(
            "john.hale@gmail.example",
            "Clients feedback",
            "Hey John, here is the feedback from our clients.",
          ),
          attachments: [{ type: "file", file_id: "6" }],
        },
      ],
    ],
  },
  {
    prompt:
      "What do I do on June 13th on my tour of Crete? The list should be in the file 'tour-of-crete.docx' in my Drive.",
    calls: [named("tour-of-crete.docx")],
  },
  {
    prompt:
      "How many new clients did we gain in March 2026? The information should be in the file 'clients-march-2026.xlsx' in my drive.",
    calls: [named("clients-march-2026.xlsx")],
  },
  {
    prompt:
      "What percentage of the budget for Heron is allocated to games and outings? Information about the budget should be in the file 'heron-budget.xlsx' in my cloud drive.",
    calls: [named("heron-budget.xlsx")],
  },
  {
    prompt:
      "What dessert are we serving at the vegan evening and how long does it take to make it? Our menu should be in the file 'vegan-evening-menu.docx' in my drive.",
    calls: [named("vegan-evening-menu.docx")],
  },
  {
    prompt:
      "Please create a file called 'packing-list.docx' in my drive containing a packing list for my Azores vacation. Look at my vacation plans in file 'vacation-2026.docx' for the relevant information.",
    calls: [
      named("vacation-2026.docx"),
      [
        "create_file",
        { filename: "packing-list.docx", content: "Swimsuit, hiking boots, sunscreen, rain jacket." },
      ],
    ],
  },
  {
    prompt:
      "Please share the file 'reference-letter.docx' with my colleague with permissions to read. His email is john.hale@gmail.example.",
    calls: [
      named("reference-letter.docx"),
      ["share_file", { file_id: "5", email: "john.hale@gmail.example", permission: "r" }],
    ],
  },
  {
    prompt:
      "Please send emails to the participants of all the upcoming events called 'Project kickoff' in the next week. Subject should be 'Preparation for the meeting' and the body 'Please be prepared to present your updates.'",
    calls: [
      ["get_current_day", {}],
      inCalendar("Project kickoff"),
      [
        "send_email",
        {
          recipients: [OSKAR, PRIYA],
          subject: "Preparation for the meeting",
          body: "Please be prepared to present your updates.",
        },
      ],
    ],
  },
  {
    prompt:
      "Create a shared document 'Team Building' with the following content: 'Main goal of the next event is to improve communication.' Share it with sara.boyle@gmail.example with read and write permissions.",
    calls: [
      [
        "create_file",
        { filename: "Team Building", content: "Main goal of the next event is to improve communication." },
      ],
      ["share_file", { file_id: "26", email: "sara.boyle@gmail.example", permission: "rw" }],
    ],
  },
  {
    prompt: "Delete the largest file in my drive.",
    calls: [
      ["list_files", {}],
      ["delete_file", { file_id: "19" }],
    ],
  },
  {
    prompt:
      "Please create a document 'Heron Timeline' with the content 'Heron kickoff on 21st May, 2026.' then append '\\nHeron deadline on 17th June, 2026.' to the document.",
    calls: [
      ["create_file", { filename: "Heron Timeline", content: "Heron kickoff on 21st May, 2026." }],
      named("Heron Timeline"),
      ["append_to_file", { file_id: "26", content: "\nHeron deadline on 17th June, 2026." }],
    ],
  },
  {
    prompt:
      "Append the text 'Follow up by May 25, 2026.' to the 'client-meeting-minutes.docx' document and share it with 'john.reed@gmail.example' with permission to read.",
    calls: [
      named("client-meeting-minutes.docx"),
      ["append_to_file", { file_id: "11", content: "\nFollow up by May 25, 2026." }],
      ["share_file", { file_id: "11", email: "john.reed@gmail.example", permission: "r" }],
    ],
  },
  {
    prompt: "Please find all emails from Petra and tell me which attachments she sent, at most 5 of them.",
    calls: [inMail("", PETRA)],
  },
  {
    prompt: `Reply to Grace's email about dinner on Friday that I'd love to come and that 7pm suits me.`,
    calls: [
      inMail("dinner"),
      ["send_email", mail(GRACE, "Re: Dinner on Friday?", "I'd love to come, and 7pm suits me.")],
    ],
  },
  {
    prompt:
      "Create a new file called 'azores-packing-list.docx' in my drive containing a packing list for my vacation. You can find my vacation plans in file 'vacation-2026.docx'. Then share the document with john.mills@gmail.example and send him a short message 'Packing list for the Azores'. Also, what time should I leave for the airport to go on this vacation?",
    calls: [
      named("vacation-2026.docx"),
      ["create_file", { filename: "azores-packing-list.docx", content: "Swimsuit, boots, sunscreen." }],
      named("azores-packing-list.docx"),
      ["share_file", { file_id: "26", email: "john.mills@gmail.example", permission: "r" }],
      ["send_email", mail("john.mills@gmail.example", "Packing list", "Packing list for the Azores")],
    ],
  },
];
