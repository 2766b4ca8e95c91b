import { PHRASES } from "./everyday-phrases.ts";
import { THINGS_M_TO_Z } from "./everyday-things-m-to-z.ts";
import { THINGS_A_TO_L } from "./everyday-things.ts";
import { EVERYDAY_VERBS } from "./everyday-verbs.ts";
import { stem } from "./stem.ts";

/** Words that say nothing about what is wanted. */
const EMPTY_WORDS =
  "a an the this that these those it its i me my mine we us our you your he she they them their to of in on at by for from with about into onto through over under as and or but if while there here is am are was were be been being do does did done have has had having can could may might shall should will would must not no yes please just also so than then too very some any something anything thing things one ones what which how why more most let lets want wants need needs like now today tomorrow yesterday tonight week next last already once all every each other another same own left right up out off down via per using use";

/** What people call a service, or a part of it, and names that its tools may stand under. */
const BRANDS = `
outlook: microsoft msgraph graph office365 m365
onedrive: microsoft msgraph graph office365 m365
onenote: microsoft msgraph graph office365 m365
sharepoint: microsoft msgraph graph office365 m365
teams: microsoft msgraph graph office365 m365
office: microsoft msgraph graph office365 m365
excel: microsoft msgraph graph office365 m365
intune: microsoft msgraph graph
o365: microsoft msgraph graph office365 m365
azure: microsoft azure
msft: microsoft
gh: github
google: drive gmail calendar docs sheets gdrive gcal googlecalendar googledrive
gcal: calendar google googlecalendar
gdrive: drive google googledrive
gpt: openai
chatgpt: openai
dalle: openai
whisper: openai
claude: anthropic
aws: amazon
facebook: meta
instagram: meta
twitter: x
confluence: atlassian
bitbucket: atlassian`;

/** Neither a term of a question nor of a tool. */
export const emptyWords: ReadonlySet<string> = new Set(EMPTY_WORDS.split(" "));

/** By word: first names of tools that it may mean. */
export const brandsOf: ReadonlyMap<string, readonly string[]> = new Map(readLines(BRANDS));

/** By the stem of a word, or of several in one: the stems that may stand for it. */
export const sameMeaning: ReadonlyMap<string, ReadonlySet<string>> = stemAll(
  [THINGS_A_TO_L, THINGS_M_TO_Z, EVERYDAY_VERBS, PHRASES].flatMap(readLines),
);

/** Words that mean something together, written as one. */
export const phrases: ReadonlySet<string> = new Set(readLines(PHRASES).map(([phrase]) => phrase));

/** Of each line what stands before the colon, in one word, and the words after it. */
function readLines(text: string): readonly (readonly [said: string, meant: readonly string[]])[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [said = "", meant = ""] = line.split(": ");
      return [said.replaceAll(" ", ""), meant.split(" ")] as const;
    });
}

function stemAll(lines: ReturnType<typeof readLines>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [said, meant] of lines) {
    const term = stem(said);
    const terms = found.get(term) ?? new Set();
    for (const word of meant) if (stem(word) !== term) terms.add(stem(word));
    found.set(term, terms);
  }
  return found;
}
