import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** One meeting of two people, as lines; line n (from 1) is the turn `turns[n - 1]`. */
export interface Meeting {
  readonly number: number;
  /** ISO, without a time zone. */
  readonly date: string;
  readonly turns: readonly string[];
  readonly text: string;
}

export interface Question {
  readonly text: string;
  /** 1: several facts, 2: when, 3: open, 4: one fact. */
  readonly category: number;
  /** The turns that answer it. */
  readonly evidence: readonly string[];
}

export interface Conversation {
  readonly name: string;
  readonly people: readonly [string, string];
  readonly meetings: readonly Meeting[];
  readonly questions: readonly Question[];
}

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string().optional(),
  clean_text: z.string().optional(),
  blip_caption: z.string().optional(),
});
const conversationSchema = z.looseObject({
  speaker_a: z.string(),
  speaker_b: z.string(),
  qa: z.array(z.looseObject({ question: z.string(), category: z.int(), evidence: z.unknown() })),
});
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

/** The questions with an answer in the conversation: categories 1 to 4. Rejects if the folder cannot be read. */
export async function readLocomo(directory: string): Promise<readonly Conversation[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    files.map(async (file) => {
      const data = conversationSchema.parse(JSON.parse(await readFile(join(directory, file), "utf8")));
      const meetings = meetingsOf(data);
      const turns = new Set(meetings.flatMap((meeting) => meeting.turns));
      const questions = data.qa.map(({ question, category, evidence }) => ({
        text: question,
        category,
        evidence: turnsIn(JSON.stringify(evidence ?? "")).filter((turn) => turns.has(turn)),
      }));
      return {
        name: file.replace(".json", ""),
        people: [data.speaker_a, data.speaker_b],
        meetings,
        questions: questions.filter(({ category, evidence }) => category <= 4 && evidence.length > 0),
      };
    }),
  );
}

function meetingsOf(data: Readonly<Record<string, unknown>>): readonly Meeting[] {
  const meetings: Meeting[] = [];
  for (let number = 1; typeof data[`session_${number}_date_time`] === "string"; number++) {
    const turns = z.array(turnSchema).catch([]).parse(data[`session_${number}`]);
    if (turns.length === 0) continue;
    meetings.push({
      number,
      date: isoDate(String(data[`session_${number}_date_time`])),
      turns: turns.flatMap((turn) => turnsIn(turn.dia_id)),
      text: turns.map(lineOf).join("\n"),
    });
  }
  return meetings;
}

function lineOf({
  speaker,
  text,
  clean_text: clean,
  blip_caption: picture,
}: z.infer<typeof turnSchema>): string {
  const said = clean ?? text ?? "";
  return `${speaker}: ${said}${picture === undefined ? "" : ` [shares ${picture}]`}`.replaceAll(/\s+/g, " ");
}

function turnsIn(text: string): string[] {
  return [...text.matchAll(/D:?(\d+):(\d+)/g)].map(
    ([, meeting, turn]) => `D${Number(meeting)}:${Number(turn)}`,
  );
}

/** `1:56 pm on 8 May, 2023` → `2023-05-08`. */
function isoDate(text: string): string {
  const [, day = "", month = "", year = ""] = /on (\d+) (\w+),? (\d{4})/.exec(text) ?? [];
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  return `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
