import { type PlayedTask, says } from "./played-task.ts";
import { local, ZONE } from "../world.ts";

const tomorrow = (now: Date): string =>
  new Date(now.getTime() + 86_400_000).toLocaleDateString("sv-SE", { timeZone: ZONE });

/** Files, commands, and what Deputy does later or keeps. */
export const OWN_TASKS: readonly PlayedTask[] = [
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
