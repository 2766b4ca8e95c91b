import { FRIDAY, local, next, THURSDAY, WEDNESDAY, type World, ZONE } from "./world.ts";
import type { Issue } from "./tracker-server.ts";

/** What is there after a task, for its checker. */
export interface Outcome {
  readonly answer: string;
  readonly world: World;
  readonly issues: readonly Issue[];
  readonly orders: readonly { readonly id: string; readonly status: string }[];
  /** The text of a file in the workspace; undefined if there is none. */
  readonly file: (path: string) => Promise<string | undefined>;
  /** Everything that Deputy wrote down: reminders, tasks, hooks, notes. */
  readonly kept: {
    readonly reminders: readonly {
      readonly text: string;
      readonly runs: string;
      readonly at: string | undefined;
    }[];
    readonly tasks: readonly { readonly prompt: string; readonly runs: string }[];
    readonly settings: string;
    readonly notes: string;
  };
}

export interface PlayedTask {
  readonly id: string;
  readonly prompt: string;
  /** One thing is wanted, or several that depend on each other. */
  readonly goals: "single" | "several";
  readonly isRight: (outcome: Outcome) => boolean | Promise<boolean>;
  /** A program that does it, and what one would say then: the proof that it can be done, and that the check accepts it. */
  readonly solution: (now: Date) => { readonly program?: string; readonly answer: string };
}

const openIssues = (issues: readonly Issue[]): readonly Issue[] =>
  issues.filter((issue) => issue.state === "open" && issue.pull_request === undefined);
const hasLabel = (issue: Issue, name: string): boolean => issue.labels.some((label) => label.name === name);
const untouched = ({ world }: Outcome): boolean =>
  world.sent.length === 0 && world.transfers.length === 0 && world.appointments.length === 4;
const says = (text: string, ...wanted: (string | RegExp)[]): boolean =>
  wanted.every((part) =>
    typeof part === "string" ? text.toLowerCase().includes(part.toLowerCase()) : part.test(text),
  );
const weekdayOf = (date: Date): string =>
  new Intl.DateTimeFormat("en", { weekday: "long", timeZone: ZONE }).format(date);
const tomorrow = (now: Date): string =>
  new Date(now.getTime() + 86_400_000).toLocaleDateString("sv-SE", { timeZone: ZONE });
const appointmentNamed = ({ world }: Outcome, word: RegExp) =>
  world.appointments.find(({ title }) => word.test(title));
const isFree = /\b(not free|no\b|busy|dentist)/i;

/** Thirty things that people ask for on an ordinary day. */
export const PLAYED_TASKS: readonly PlayedTask[] = [
  {
    id: "weekday",
    prompt: "What day of the week is tomorrow?",
    goals: "single",
    isRight: ({ answer, world }) => says(answer, weekdayOf(new Date(world.now.getTime() + 86_400_000))),
    solution: (now) => ({ answer: `Tomorrow is ${weekdayOf(new Date(now.getTime() + 86_400_000))}.` }),
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
    isRight: (outcome) => says(outcome.answer, "lunch", "friday") && untouched(outcome),
    solution: () => ({
      program:
        'const [mail] = (await tools.mail.list({})).filter(({ from }) => from.startsWith("ada")); return await tools.mail.read({ id: mail!.id });',
      answer: "She asks whether you have lunch with her on Friday at 12:30.",
    }),
  },
  {
    id: "reply",
    prompt: "Tell Ada that I will come on Friday.",
    goals: "single",
    isRight: ({ world: { sent } }) =>
      sent.length === 1 && sent[0]?.to.join() === "ada@example.org" && says(sent[0].body, "friday"),
    solution: () => ({
      program:
        'const ada = (await tools.mail.list({})).find(({ from }) => from.startsWith("ada@"))!; return await tools.mail.send({ to: [ada.from], subject: "Re: Lunch?", body: "I will come on Friday." });',
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
    isRight: ({ answer }) => says(answer, /14[:.]30|2[:.]30/, /thursday|donnerstag|\d{4}-\d\d-\d\d/i),
    solution: (now) => ({
      program: `return (await tools.calendar.list({ from: "${now.toISOString()}", to: "${new Date(now.getTime() + 30 * 86_400_000).toISOString()}" })).filter(({ title }) => title === "Dentist");`,
      answer: "On Thursday at 14:30.",
    }),
  },
  {
    id: "add-lunch",
    prompt: "Put lunch with Ada into my calendar, on Friday at 12:30 for an hour.",
    goals: "single",
    isRight: (outcome) => {
      const lunch = appointmentNamed(outcome, /lunch/i);
      const friday = next(FRIDAY, outcome.world.now);
      return lunch?.start === local(friday, "12:30") && lunch.end === local(friday, "13:30");
    },
    solution: (now) => {
      const friday = next(FRIDAY, now);
      return {
        program: `return await tools.calendar.create({ title: "Lunch with Ada", start: "${local(friday, "12:30")}", end: "${local(friday, "13:30")}" });`,
        answer: "It is in your calendar.",
      };
    },
  },
  {
    id: "move-dentist",
    prompt: "Move the dentist to one hour later.",
    goals: "single",
    isRight: (outcome) => {
      const thursday = next(THURSDAY, outcome.world.now);
      const dentist = appointmentNamed(outcome, /dentist/i);
      return dentist?.start === local(thursday, "15:30") && dentist.end === local(thursday, "16:30");
    },
    solution: (now) => {
      const thursday = next(THURSDAY, now);
      return {
        program: `return await tools.calendar.move({ id: "a1", start: "${local(thursday, "15:30")}", end: "${local(thursday, "16:30")}" });`,
        answer: "It is at 15:30 now.",
      };
    },
  },
  {
    id: "free",
    prompt: "Am I free on Thursday at 3 pm?",
    goals: "single",
    isRight: (outcome) => says(outcome.answer, isFree) && untouched(outcome),
    solution: (now) => {
      const thursday = next(THURSDAY, now);
      return {
        program: `return await tools.calendar.list({ from: "${local(thursday, "15:00")}", to: "${local(thursday, "15:01")}" });`,
        answer: "No, you are at the dentist until 15:30.",
      };
    },
  },
  {
    id: "clear-wednesday",
    prompt: "I am ill. Cancel everything on Wednesday.",
    goals: "single",
    isRight: ({ world: { appointments } }) =>
      appointments
        .filter(({ cancelled }) => cancelled)
        .map(({ id }) => id)
        .join() === "a2,a3",
    solution: (now) => {
      const wednesday = next(WEDNESDAY, now);
      return {
        program: `for (const { id } of await tools.calendar.list({ from: "${local(wednesday, "00:00")}", to: "${local(wednesday, "23:59")}" })) await tools.calendar.cancel({ id });`,
        answer: "I cancelled the stand-up and the review. Get well soon!",
      };
    },
  },
  {
    id: "count-bugs",
    prompt: "How many open bugs are in the tracker?",
    goals: "single",
    isRight: ({ answer, issues }) =>
      says(
        answer,
        new RegExp(`\\b${openIssues(issues).filter((issue) => hasLabel(issue, "bug")).length}\\b`),
      ),
    solution: () => ({
      program:
        'return (await tools.tracker.listIssues({ labels: "bug", maxPages: 10 })).filter((issue) => issue.pull_request === undefined).length;',
      answer: "There are 15 open bugs.",
    }),
  },
  {
    id: "close-duplicate",
    prompt: "Issue 12 in the tracker... no, 13, is a duplicate of 7. Say so there and close it.",
    goals: "several",
    isRight: ({ issues }) => {
      const changed = issues.filter(({ comments }) => comments.length > 0);
      const [issue] = changed;
      return (
        changed.length === 1 &&
        issue?.number === 13 &&
        issue.state === "closed" &&
        says(issue.comments.join(), "7")
      );
    },
    solution: () => ({
      program:
        'await tools.tracker.createComment({ number: 13, body: { body: "A duplicate of #7." } }); return await tools.tracker.updateIssue({ number: 13, body: { state: "closed" } });',
      answer: "Done.",
    }),
  },
  {
    id: "oldest-issue",
    prompt: "Which open issue in the tracker is the oldest?",
    goals: "single",
    isRight: ({ answer }) => says(answer, /(^|[^\d])#?1([^\d]|$)/),
    solution: () => ({
      program:
        "return (await tools.tracker.listIssues({ maxPages: 10 })).filter((issue) => issue.pull_request === undefined).toSorted((a, b) => a.created_at.localeCompare(b.created_at))[0];",
      answer: "It is #1, Something about part 1.",
    }),
  },
  {
    id: "top-reporter",
    prompt: "Who reported most of the open issues in the tracker? Pull requests do not count.",
    goals: "single",
    isRight: ({ answer, issues }) => {
      const counts = Map.groupBy(openIssues(issues), ({ user }) => user.login);
      const [top] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
      return says(answer, top?.[0] ?? "nobody");
    },
    solution: () => ({
      program:
        'const counts: Record<string, number> = {}; for (const issue of await tools.tracker.listIssues({ maxPages: 10 })) if (issue.pull_request === undefined) counts[issue.user.login ?? ""] = (counts[issue.user.login ?? ""] ?? 0) + 1; return counts;',
      answer: "hubot did.",
    }),
  },
  {
    id: "label-login",
    prompt: "Add the label urgent to the issue about the login.",
    goals: "several",
    isRight: ({ issues }) => {
      const urgent = issues.filter((issue) => hasLabel(issue, "urgent"));
      // The labels of before stay.
      return urgent.length === 1 && urgent[0]?.number === 23 && urgent[0].labels.length === 2;
    },
    solution: () => ({
      program:
        'const found = (await tools.tracker.listIssues({ maxPages: 10 })).find(({ title }) => /login/i.test(title))!; return await tools.tracker.updateIssue({ number: found.number, body: { labels: [...found.labels.map(({ name }) => name ?? ""), "urgent"] } });',
      answer: "Done: #23.",
    }),
  },
  {
    id: "last-order",
    prompt: "What did I order last in the shop, and what did it cost?",
    goals: "single",
    isRight: ({ answer }) => says(answer, "lamp", /39[.,]90/),
    solution: () => ({
      program: "return (await tools.shop.list_orders({})).orders[0];",
      answer: "A desk lamp for 39.90 €.",
    }),
  },
  {
    id: "cancel-order",
    prompt: "Cancel my order of the desk lamp.",
    goals: "single",
    isRight: ({ orders }) =>
      orders
        .filter(({ status }) => status === "cancelled")
        .map(({ id }) => id)
        .join() === "o4",
    solution: () => ({
      program: 'return await tools.shop.cancel_order({ order_id: "o4" });',
      answer: "The order is cancelled.",
    }),
  },
  {
    id: "spent",
    prompt: "How much have I spent in the shop in all?",
    goals: "single",
    isRight: ({ answer }) => says(answer, /154[.,]30/),
    solution: () => ({
      program: "return (await tools.shop.list_orders({})).orders.reduce((sum, { cents }) => sum + cents, 0);",
      answer: "154.30 €.",
    }),
  },
  {
    id: "shopping-list",
    prompt: "Write a shopping list with eggs, flour and milk into list.md.",
    goals: "single",
    isRight: async ({ file }) => says((await file("list.md")) ?? "", "eggs", "flour", "milk"),
    solution: () => ({
      program:
        'return await tools.files.write({ path: "list.md", content: "- eggs\\n- flour\\n- milk\\n" });',
      answer: "It is in list.md.",
    }),
  },
  {
    id: "count-todos",
    prompt: "How many things are still to do in notes/todo.md?",
    goals: "single",
    isRight: ({ answer }) => says(answer, /\b(3|three)\b/i),
    solution: () => ({
      program:
        'const { content } = await tools.files.read({ path: "notes/todo.md" }); return content.split("\\n").filter((line) => line.includes("[ ]")).length;',
      answer: "Three things.",
    }),
  },
  {
    id: "tick-off",
    prompt: "In notes/todo.md, tick off the rent.",
    goals: "single",
    isRight: async ({ file }) => {
      const text = (await file("notes/todo.md")) ?? "";
      return text.includes("[x] Pay the rent") && text.split("[ ]").length === 3;
    },
    solution: () => ({
      program:
        'return await tools.files.edit({ path: "notes/todo.md", find: "[ ] Pay the rent", replace: "[x] Pay the rent" });',
      answer: "Done.",
    }),
  },
  {
    id: "find-file",
    prompt: "In which of my files do I mention Barcelona?",
    goals: "single",
    isRight: ({ answer }) => says(answer, "trips.md"),
    solution: () => ({
      program: 'return await tools.files.grep({ pattern: "Barcelona" });',
      answer: "In notes/trips.md.",
    }),
  },
  {
    id: "remind",
    prompt: "Remind me tomorrow at 9 in the morning to call the bank.",
    goals: "single",
    isRight: ({ kept, world }) =>
      kept.reminders.length === 1 &&
      says(kept.reminders[0]?.text ?? "", "bank") &&
      kept.reminders[0]?.at === local(tomorrow(world.now), "09:00"),
    solution: (now) => ({
      program: `return await tools.cron.add({ name: "Call the bank", text: "Call the bank", schedule: "at ${tomorrow(now)}T09:00" });`,
      answer: "I will remind you tomorrow at 9:00.",
    }),
  },
  {
    id: "every-monday",
    prompt: "Every Monday at 8 in the morning, send me a summary of the open issues.",
    goals: "single",
    // A reminder with that text does the same: the agent is asked then, and has its tools.
    isRight: ({ kept }) => {
      const set = [...kept.tasks, ...kept.reminders.map(({ text, runs }) => ({ prompt: text, runs }))];
      return (
        set.length === 1 &&
        says(set[0]?.runs ?? "", "monday", /8[:.]00/) &&
        says(set[0]?.prompt ?? "", "issue")
      );
    },
    solution: () => ({
      program:
        'return await tools.tasks.createRecurring({ prompt: "Summarise the open issues of the tracker for the user.", schedule: "0 8 * * 1" });',
      answer: "Every Monday at 8:00.",
    }),
  },
  {
    id: "when-build-fails",
    prompt: "Tell me whenever a build fails. Builds are reported to my hook.",
    goals: "single",
    isRight: ({ kept }) => kept.tasks.length === 1 && says(kept.tasks[0]?.runs ?? "", "builds"),
    solution: () => ({
      program:
        'return await tools.tasks.createEventTrigger({ prompt: "If the build failed, tell the user.", hook: "builds" });',
      answer: "I will tell you.",
    }),
  },
  {
    id: "watch-folder",
    prompt: "Whenever a new file appears in ~/Scans, tell me its name.",
    goals: "several",
    isRight: ({ kept }) =>
      says(kept.settings, '"files"', "Scans") &&
      kept.tasks.length === 1 &&
      !says(kept.tasks[0]?.runs ?? "", "builds"),
    solution: () => ({
      program:
        'const { next } = await tools.hooks.create({ name: "scans", source: { kind: "folder", path: "~/Scans" } }); await tools.tasks.createEventTrigger({ prompt: "Tell the user the name of the new file.", hook: "scans" }); return next;',
      answer: "It is set up. Restart Deputy once: then it watches the folder.",
    }),
  },
  {
    id: "run-tests",
    prompt: "Run the tests in my folder with `node test.mjs` and tell me which one fails.",
    goals: "single",
    isRight: ({ answer }) => says(answer, "rounds down"),
    solution: () => ({
      program: 'return await tools.bash.run({ command: "node test.mjs" });',
      answer: "The test “rounds down” fails.",
    }),
  },
  {
    id: "tokyo",
    prompt: "My call with Tokyo is on Friday at 10 in the morning, their time. When is that for me?",
    goals: "single",
    isRight: ({ answer }) => says(answer, /\b0?(2|3)([:.]00| ?am| in the (morning|night)| o)/i),
    solution: (now) => ({
      program: `return await tools.time.convert({ at: "${next(FRIDAY, now)}T10:00", from: "Asia/Tokyo" });`,
      answer: "At 2:00 in the night.",
    }),
  },
  {
    id: "pay-invoice",
    prompt: "Pay the Stadtwerke invoice that came by mail.",
    goals: "several",
    isRight: ({ world: { transfers } }) =>
      transfers.length === 1 &&
      transfers[0]?.iban.replaceAll(" ", "") === "AT611904300234573201" &&
      transfers[0].cents === 8_420,
    solution: () => ({
      program:
        'return await tools.bank.transfer({ iban: "AT611904300234573201", cents: 8420, reference: "4711" });',
      answer: "84.20 € are on their way.",
    }),
  },
  {
    id: "remember",
    prompt: "Remember that I am allergic to nuts.",
    goals: "single",
    isRight: ({ kept }) => says(kept.notes, "nuts"),
    solution: () => ({
      program: 'return await tools.memory.remember({ text: "The user is allergic to nuts." });',
      answer: "I will remember that.",
    }),
  },
];
