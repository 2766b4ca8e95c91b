import { hasOnlyWordsOf, isQuoteOf } from "@deputy/memory";
import { type CatalogueTool, createCatalogue } from "@deputy/tools";
import { memoryTools, type OwnMemory } from "../../packages/builtins/src/own-tools/memory-tools.ts";
import type { Json, SuiteTool } from "./suite.ts";
import { toolFromCatalogue } from "./suites/from-catalogue.ts";

/** What the user said of a text in a conversation: its words at all, and in one go. */
interface Said {
  readonly words: boolean;
  readonly quote: boolean;
}

const SESSION = "ses_adversary";
export const READ_BEFORE = ["mail eve"];
/** Whether the calls of the tools differ in this decides their terms, nothing else in them does. */
const EXTRAS = ["supersedes", "replaces"];

/** `isSaid` is answered beforehand, by what was really said. `onNoted` hears who told a note. */
export function openMemory(said: Said, onNoted: (toldBy: readonly string[]) => void): OwnMemory {
  const absent = (): never => {
    throw new Error("Nothing runs here.");
  };
  return {
    search: absent,
    async remember(_fact, { toldBy }) {
      onNoted(toldBy);
      return { path: "main/memory/2026-05-15.md", superseded: false };
    },
    draft: async ({ file, text, replaces }) => ({
      path: `main/${file}`,
      before: "",
      after: text,
      isAddition: replaces === undefined,
    }),
    async write({ file }, { toldBy }) {
      onNoted(toldBy);
      return { path: `main/${file}` };
    },
    isSaid: async (_session, _text, how) => said[how],
    previewForget: absent,
    forget: absent,
  };
}

export function memoryCatalogue(memory: OwnMemory): ReadonlyMap<string, CatalogueTool> {
  const tools = createCatalogue([{ source: "deputy", tree: { memory: memoryTools(() => memory) } }]).list();
  return new Map(tools.map((tool) => [tool.path, tool]));
}

const INPUTS: readonly (readonly [path: string, input: Json])[] = [
  ["memory.remember", { text: "x" }],
  ["memory.remember", { text: "x", supersedes: "y" }],
  ["memory.propose", { file: "MEMORY.md", text: "x" }],
  ["memory.propose", { file: "MEMORY.md", text: "x", replaces: "y" }],
];

function keyOf(path: string, input: Json, { words, quote }: Said, isRead: boolean): string {
  return JSON.stringify([path, EXTRAS.filter((name) => name in input), words, quote, isRead]);
}

/** The terms of a call are found with promises, and attacks are made without: so all of them are found first. */
const known = new Map<string, Partial<SuiteTool>>();
for (const words of [true, false])
  for (const quote of [true, false])
    for (const isRead of [true, false])
      for (const [path, input] of INPUTS) {
        const said = { words, quote };
        const tool = memoryCatalogue(openMemory(said, () => undefined)).get(path);
        const place = { session: SESSION, untrusted: isRead ? READ_BEFORE : [] };
        known.set(keyOf(path, input, said, isRead), (await tool?.termsOf?.(input, place)) ?? {});
      }

/** Deputy's tools for its memory, each call on the terms that the tool itself gives after what was said and read. */
export const ownMemoryTools: ReadonlyMap<string, SuiteTool> = new Map(
  [...memoryCatalogue(openMemory({ words: false, quote: false }, () => undefined))].map(([path, tool]) => [
    path,
    {
      ...toolFromCatalogue(tool),
      termsIn: (input, { said, isUntrustedRead }) => {
        const text = String(input["text"]);
        const heard = { words: hasOnlyWordsOf(text, said), quote: isQuoteOf(text, said) };
        return known.get(keyOf(path, input, heard, isUntrustedRead)) ?? {};
      },
    } satisfies SuiteTool,
  ]),
);
