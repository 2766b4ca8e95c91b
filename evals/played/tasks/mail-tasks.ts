import { type Outcome, type PlayedTask, says } from "./played-task.ts";
import { dateIn, dayIn, DENTIST, LUNCH, local, MEETINGS } from "../world.ts";

const untouched = ({ world }: Outcome): boolean =>
  world.sent.length === 0 && world.transfers.length === 0 && world.appointments.length === 4;
const appointmentNamed = ({ world }: Outcome, word: RegExp) =>
  world.appointments.find(({ title }) => word.test(title));
const isFree = /\b(not free|no\b|busy|dentist)/i;

/** Mail, the calendar and the clock. */
export const MAIL_TASKS: readonly PlayedTask[] = [
  {
    id: "weekday",
    prompt: "What day of the week is tomorrow?",
    goals: "single",
    isRight: ({ answer, world }) => says(answer, dayIn(1, world.now)),
    solution: (now) => ({ answer: `Tomorrow is ${dayIn(1, now)}.` }),
  },
  {
    id: "unread",
    prompt: "How many unread mails do I have?",
    goals: "single",
    isRight: (outcome) => says(outcome.answer, /\b(5|five)\b/i) && untouched(outcome),
    solution: () => ({
      program: "return (await tools.mail.list({ unreadOnly: true })).length;",
      answer: "You have 5 unread mails.",
    }),
  },
  {
    id: "what-ada-wants",
    prompt: "What does Ada want from me?",
    goals: "single",
    isRight: (outcome) =>
      says(outcome.answer, "lunch", dayIn(LUNCH, outcome.world.now)) && untouched(outcome),
    solution: (now) => ({
      program:
        'const [mail] = (await tools.mail.list({})).filter(({ from }) => from.startsWith("ada")); return await tools.mail.read({ id: mail!.id });',
      answer: `She asks whether you have lunch with her on ${dayIn(LUNCH, now)} at 12:30.`,
    }),
  },
  {
    id: "reply",
    prompt: (now) => `Tell Ada that I will come on ${dayIn(LUNCH, now)}.`,
    goals: "single",
    isRight: ({ world: { sent, now } }) =>
      sent.length === 1 && sent[0]?.to.join() === "ada@example.org" && says(sent[0].body, dayIn(LUNCH, now)),
    solution: (now) => ({
      program: `const ada = (await tools.mail.list({})).find(({ from }) => from.startsWith("ada@"))!; return await tools.mail.send({ to: [ada.from], subject: "Re: Lunch?", body: "I will come on ${dayIn(LUNCH, now)}." });`,
      answer: "I told her.",
    }),
  },
  {
    id: "archive-newsletters",
    prompt: "Archive the newsletters in my inbox, and only those.",
    goals: "single",
    isRight: ({ world: { mails } }) =>
      mails
        .filter(({ archived }) => archived)
        .map(({ id }) => id)
        .join() === "m2,m5,m7",
    solution: () => ({
      program:
        'for (const { id, subject } of await tools.mail.list({})) if (subject.startsWith("Newsletter:")) await tools.mail.archive({ id });',
      answer: "I archived three newsletters.",
    }),
  },
  {
    id: "when-dentist",
    prompt: "When is my next dentist appointment?",
    goals: "single",
    isRight: ({ answer, world: { now } }) =>
      says(answer, /14[:.]30|2[:.]30/) &&
      (says(answer, dayIn(DENTIST, now)) || says(answer, String(Number(dateIn(DENTIST, now).slice(-2))))),
    solution: (now) => ({
      program: `return (await tools.calendar.list({ from: "${now.toISOString()}", to: "${new Date(now.getTime() + 30 * 86_400_000).toISOString()}" })).filter(({ title }) => title === "Dentist");`,
      answer: `On ${dayIn(DENTIST, now)} at 14:30.`,
    }),
  },
  {
    id: "add-lunch",
    prompt: (now) => `Put lunch with Ada into my calendar, on ${dayIn(LUNCH, now)} at 12:30 for an hour.`,
    goals: "single",
    isRight: (outcome) => {
      const lunch = appointmentNamed(outcome, /lunch/i);
      const day = dateIn(LUNCH, outcome.world.now);
      return lunch?.start === local(day, "12:30") && lunch.end === local(day, "13:30");
    },
    solution: (now) => {
      const day = dateIn(LUNCH, now);
      return {
        program: `return await tools.calendar.create({ title: "Lunch with Ada", start: "${local(day, "12:30")}", end: "${local(day, "13:30")}" });`,
        answer: "It is in your calendar.",
      };
    },
  },
  {
    id: "move-dentist",
    prompt: "Move the dentist to one hour later.",
    goals: "single",
    isRight: (outcome) => {
      const day = dateIn(DENTIST, outcome.world.now);
      const dentist = appointmentNamed(outcome, /dentist/i);
      return dentist?.start === local(day, "15:30") && dentist.end === local(day, "16:30");
    },
    solution: (now) => {
      const day = dateIn(DENTIST, now);
      return {
        program: `return await tools.calendar.move({ id: "a1", start: "${local(day, "15:30")}", end: "${local(day, "16:30")}" });`,
        answer: "It is at 15:30 now.",
      };
    },
  },
  {
    id: "free",
    prompt: (now) => `Am I free on ${dayIn(DENTIST, now)} at 3 pm?`,
    goals: "single",
    isRight: (outcome) => says(outcome.answer, isFree) && untouched(outcome),
    solution: (now) => {
      const day = dateIn(DENTIST, now);
      return {
        program: `return await tools.calendar.list({ from: "${local(day, "15:00")}", to: "${local(day, "15:01")}" });`,
        answer: "No, you are at the dentist until 15:30.",
      };
    },
  },
  {
    id: "clear-day",
    prompt: (now) => `I will have a day off. Cancel everything on ${dayIn(MEETINGS, now)}.`,
    goals: "single",
    isRight: ({ world: { appointments } }) =>
      appointments
        .filter(({ cancelled }) => cancelled)
        .map(({ id }) => id)
        .join() === "a2,a3",
    solution: (now) => {
      const day = dateIn(MEETINGS, now);
      return {
        program: `for (const { id } of await tools.calendar.list({ from: "${local(day, "00:00")}", to: "${local(day, "23:59")}" })) await tools.calendar.cancel({ id });`,
        answer: "I cancelled the stand-up and the review.",
      };
    },
  },
  {
    id: "tokyo",
    prompt: (now) =>
      `My call with Tokyo is on ${dayIn(LUNCH, now)} at 10 in the morning, their time. When is that for me?`,
    goals: "single",
    isRight: ({ answer }) => says(answer, /\b0?(2|3)([:.]00| ?am| in the (morning|night)| o)/i),
    solution: (now) => ({
      program: `return await tools.time.convert({ at: "${dateIn(LUNCH, now)}T10:00", from: "Asia/Tokyo" });`,
      answer: "At 2:00 in the night.",
    }),
  },
];
