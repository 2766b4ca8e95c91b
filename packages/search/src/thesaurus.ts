import { PHRASES } from "./everyday-phrases.ts";
import { THINGS_M_TO_Z } from "./everyday-things-m-to-z.ts";
import { THINGS_A_TO_L } from "./everyday-things.ts";
import { EVERYDAY_VERBS } from "./everyday-verbs.ts";
import { stem } from "./stem.ts";
import { CODE_AND_CLOUDS } from "./trades/code-and-clouds.ts";
import { FILES_AND_TEXTS } from "./trades/files-and-texts.ts";
import { HEALTH_FOOD_HOME } from "./trades/health-food-home.ts";
import { LEARNING_NEWS_LAW } from "./trades/learning-news-law.ts";
import { MAIL_AND_CHAT } from "./trades/mail-and-chat.ts";
import { MONEY } from "./trades/money.ts";
import { MUSIC_AND_FILMS } from "./trades/music-and-films.ts";
import { PHONES_AND_THINGS } from "./trades/phones-and-things.ts";
import { SHOPS_AND_PARCELS } from "./trades/shops-and-parcels.ts";
import { TIME_AND_PEOPLE } from "./trades/time-and-people.ts";
import { TRAVEL_AND_WEATHER } from "./trades/travel-and-weather.ts";

/** Words that say nothing about what is wanted. */
const EMPTY_WORDS =
  "a an the this that these those it its i me my mine we us our you your he she they them their to of in on at by for from with about into onto through over under as and or but if while there here is am are was were be been being do does did done have has had having can could may might shall should will would must not no yes please just also so than then too very some any something anything thing things one ones what which how why more most let lets want wants need needs like now today tomorrow yesterday tonight week next last already once all every each other another same own left right up out off down via per using use yet lately again still ever even maybe really actually instead currently basically somehow ok okay hey hi hello thanks thank pls plz cheers kindly im ive youre weve theyre dont cant wont isnt doesnt didnt wasnt arent havent hasnt couldnt shouldnt gonna wanna gotta lemme him his her hers himself herself itself myself yourself themselves ourselves both either neither such only few lot lots bunch quite able whenever wherever whether because since until till during without within between among against toward towards along across go goes going know knows think seem seems try tries trying monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec morning afternoon evening noon midnight night";

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

/** Of a phrase of two words: what may stand further on, as in `turn the music off`. */
const PARTICLES: ReadonlySet<string> = new Set(
  "up out off down back over on away in into know again".split(" "),
);

/** Neither a term of a question nor of a tool. */
export const emptyWords: ReadonlySet<string> = new Set(EMPTY_WORDS.split(" "));

/** By word: first names of tools that it may mean. */
export const brandsOf: ReadonlyMap<string, readonly string[]> = new Map(
  readLines(BRANDS).map(({ said, meant }) => [said, meant]),
);

const LINES = [
  THINGS_A_TO_L,
  THINGS_M_TO_Z,
  EVERYDAY_VERBS,
  PHRASES,
  CODE_AND_CLOUDS,
  FILES_AND_TEXTS,
  HEALTH_FOOD_HOME,
  LEARNING_NEWS_LAW,
  MAIL_AND_CHAT,
  MONEY,
  MUSIC_AND_FILMS,
  PHONES_AND_THINGS,
  SHOPS_AND_PARCELS,
  TIME_AND_PEOPLE,
  TRAVEL_AND_WEATHER,
].flatMap(readLines);

/** By the stem of a word: the stems that may stand for it. */
export const sameMeaning: ReadonlyMap<string, ReadonlySet<string>> = gather(
  LINES.filter(({ said }) => !said.includes(" ")),
);

/**
 * By the stems, written as one, of words that mean something together: the words that may stand for them. `…` stands
 * for other words between the two.
 */
export const phrases: ReadonlyMap<string, readonly string[]> = gatherPhrases(
  LINES.filter(({ said }) => said.includes(" ")),
);

interface Line {
  readonly said: string;
  readonly meant: readonly string[];
}

/** Of each line what stands before the colon and the words after it. */
function readLines(text: string): readonly Line[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [said = "", meant = ""] = line.split(": ");
      return { said, meant: meant.split(" ") };
    });
}

function gather(lines: readonly Line[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { said, meant } of lines) {
    const term = stem(said);
    const terms = found.get(term) ?? new Set();
    for (const word of meant) if (stem(word) !== term) terms.add(stem(word));
    found.set(term, terms);
  }
  return found;
}

function gatherPhrases(lines: readonly Line[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { said, meant } of lines) {
    const words = said.split(" ").map(stem);
    const [first = "", last = ""] = words;
    const forms = words.length === 2 && PARTICLES.has(last) ? [words, [first, "…", last]] : [words];
    for (const form of forms) found.set(form.join(""), [...(found.get(form.join("")) ?? []), ...meant]);
  }
  return found;
}
