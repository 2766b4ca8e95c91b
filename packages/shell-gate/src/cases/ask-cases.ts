import { fileChangeCases } from "./file-changes.ts";
import { growthCases } from "./growth.ts";
import { placeCases } from "./places.ts";
import { programCases } from "./programs.ts";
import { shellWordCases } from "./shell-words.ts";
import { syntaxCases } from "./syntax.ts";
import { textToolCases } from "./text-tools.ts";

/** Lines that must never be allowed, by what is wrong with them. */
export const askCases: Readonly<Record<string, readonly string[]>> = {
  ...textToolCases,
  ...fileChangeCases,
  ...shellWordCases,
  ...placeCases,
  ...growthCases,
  ...programCases,
  ...syntaxCases,
};
