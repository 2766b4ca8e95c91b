// Loads one spec and makes all of its declarations, alone in its process; prints what that took as JSON.
import { readFile } from "node:fs/promises";
import { createSystemClock } from "@deputy/kit";
import { createCatalogue } from "@deputy/tools";
import { openApiSource } from "@deputy/source-openapi";
import { parseSpec } from "@deputy/source-openapi/parse-spec";

const file = process.argv[2] ?? "";
const started = process.cpuUsage();
const root = await parseSpec(await readFile(file, "utf8"));
const doors = { named: fetch, others: fetch };
const source = openApiSource(root, {}, { doors, clock: createSystemClock(), learnSecret: () => undefined });
const catalogue = createCatalogue([source]);
const loaded = process.cpuUsage(started);
const tools = catalogue.list().length;
const { length } = catalogue.declarations();
const declared = process.cpuUsage(started);
const ms = ({ user, system }: NodeJS.CpuUsage): number => Math.round((user + system) / 1_000);
console.log(
  JSON.stringify({
    tools,
    declarationChars: length,
    loadCpuMs: ms(loaded),
    allCpuMs: ms(declared),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  }),
);
