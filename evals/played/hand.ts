// Plays the model of `PLAYED_HAND=FOLDER npm run eval played`:
//   node evals/played/hand.ts FOLDER                      waits for the next request, and shows what is new in it
//   node evals/played/hand.ts FOLDER text   < ANSWER      answers in text, and shows the next request
//   node evals/played/hand.ts FOLDER code   < PROGRAM     calls run_code
//   node evals/played/hand.ts FOLDER NAME   < ARGUMENTS   calls any other function, with JSON
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { answerFile, countRequests, doneFile, type HandAnswer, requestFile } from "./hand-model.ts";
import { showRequest } from "./show-request.ts";

const LOOK_MS = 200;
const MOST_MS = 540_000;

const [folder, how] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("Usage: node evals/played/hand.ts FOLDER [text | code | NAME] < ANSWER\n");
  process.exit(2);
}
if (how !== undefined) {
  const open = openRequest(folder);
  if (open === undefined) throw new Error("No request waits for an answer");
  writeFileSync(answerFile(folder, open), JSON.stringify(answerOf(how, await readText(process.stdin))));
}
const until = Date.now() + MOST_MS;
for (;;) {
  const open = openRequest(folder);
  if (open !== undefined) {
    const [request, before] = [open, open - 1].map((number) =>
      number === 0 ? undefined : (JSON.parse(readFileSync(requestFile(folder, number), "utf8")) as object),
    );
    process.stdout.write(`Request ${open}\n${showRequest(request ?? {}, before)}\n`);
    break;
  }
  if (existsSync(doneFile(folder))) {
    process.stdout.write("Nothing more is asked: all tasks were played.\n");
    break;
  }
  if (Date.now() > until) throw new Error("No request came; ask again");
  await sleep(LOOK_MS);
}

/** The newest request, unless it was answered. */
function openRequest(at: string): number | undefined {
  const number = countRequests(at);
  return number === 0 || existsSync(answerFile(at, number)) ? undefined : number;
}

function answerOf(kind: string, said: string): HandAnswer {
  if (kind === "text") return { text: said.trim() };
  if (kind === "code") return { calls: [{ name: "run_code", arguments: { code: said } }] };
  return { calls: [{ name: kind, arguments: JSON.parse(said === "" ? "{}" : said) as unknown }] };
}
