import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { type Catalogue, createCatalogue } from "@deputy/tools";
import { openApiSource, parseSpec } from "@deputy/tools/openapi";

/** Well-known services, by the name a user would give them, and where the public directory has their specs. */
export const SPECS = {
  github: "github.com/api.github.com.json",
  stripe: "stripe.com.json",
  slack: "slack.com.json",
  notion: "notion.com.json",
  microsoft: "microsoft.com/graph.json",
  twilio: "twilio.com/api.json",
  sendgrid: "sendgrid.com.json",
  spotify: "spotify.com.json",
  trello: "trello.com.json",
  asana: "asana.com.json",
  zoom: "zoom.us.json",
  digitalocean: "digitalocean.com.json",
  calendar: "googleapis.com/calendar.json",
  gmail: "googleapis.com/gmail.json",
  drive: "googleapis.com/drive.json",
  openai: "openai.com.json",
  gitlab: "gitlab.com.json",
  jira: "atlassian.com/jira.json",
  victorops: "victorops.com.json",
  ynab: "youneedabudget.com.json",
} as const;

export type SpecName = keyof typeof SPECS;

/** One catalogue of these specs, out of the directory that `openCorpus` gives. Nothing in it can be called. */
export async function loadSpecs(directory: string, names: readonly SpecName[]): Promise<Catalogue> {
  const door = (): never => {
    throw new Error("Nothing is called here");
  };
  const deps = {
    doors: { named: door, others: door },
    clock: createSystemClock(),
    learnSecret: () => undefined,
  };
  const sources = [];
  for (const name of names) {
    const root = await parseSpec(await readFile(join(directory, SPECS[name]), "utf8"));
    sources.push(openApiSource(root, { name }, deps));
  }
  return createCatalogue(sources);
}
