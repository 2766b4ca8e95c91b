import { EVERYDAY_WORDS } from "./everyday-words.ts";
import { PHRASES } from "./everyday-phrases.ts";
import { stem } from "./stem.ts";

/** Words that say nothing about what is wanted. */
const EMPTY_WORDS =
  "a an the this that these those it its i me my mine we us our you your he she they them their to of in on at by for from with about into onto through over under as and or but if while there here is am are was were be been being do does did done have has had having can could may might shall should will would must not no yes please just also so than then too very some any somebody someone anybody anyone everybody something anything thing things one ones what which how why more most let lets want wants need needs like now today tomorrow yesterday tonight week next last already once all every each other another same own up out off down via per using use";

/** What people call a service, or a part of it, and names that its tools may stand under. */
const BRANDS = `
outlook microsoft msgraph graph office365 m365
onedrive microsoft msgraph graph office365 m365
onenote microsoft msgraph graph office365 m365
sharepoint microsoft msgraph graph office365 m365
teams microsoft msgraph graph office365 m365
office microsoft msgraph graph office365 m365
azure microsoft
google drive gmail calendar docs sheets gdrive gcal googlecalendar googledrive
gpt openai
chatgpt openai
dalle openai
whisper openai
claude anthropic
aws amazon
facebook meta
instagram meta
twitter x
confluence atlassian
bitbucket atlassian`;

const words = (text: string): readonly string[] => text.split(" ").filter((word) => word !== "");

/** Neither a term of a question nor of a tool. */
export const emptyWords: ReadonlySet<string> = new Set(words(EMPTY_WORDS));

/** By word: first names of tools that it may mean. */
export const brandsOf: ReadonlyMap<string, readonly string[]> = new Map(
  BRANDS.split("\n").flatMap((line) => {
    const [brand, ...names] = words(line);
    return brand === undefined ? [] : [[brand, names] as const];
  }),
);

/** By the stem of a word: the stems that may stand for it. */
export const sameMeaning: ReadonlyMap<string, ReadonlySet<string>> = readGroups(EVERYDAY_WORDS + PHRASES.replaceAll(/^(.*):/gm, (_, p: string) => p.replaceAll(" ", "")));

/** Phrases, written as one word. */
export const phraseWords: ReadonlySet<string> = new Set(
  PHRASES.split("\n").flatMap((line) => line.split(":")[0]?.replaceAll(" ", "") ?? []).filter((x) => x !== ""),
);

function readGroups(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [first, ...others] = words(line).map(stem);
    if (first === undefined) continue;
    for (const other of others) {
      found.set(first, (found.get(first) ?? new Set()).add(other));
      //REV
    }
  }
  return found;
}

