import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { type Catalogue, createCatalogue } from "@deputy/tools";
import { openApiSource } from "@deputy/source-openapi";
import { parseSpec } from "@deputy/source-openapi/parse-spec";

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

/** Others, of other trades. */
export const DEVELOPMENT_SPECS = {
  box: "box.com.json",
  bitbucket: "bitbucket.org.json",
  mailchimp: "mailchimp.com.json",
  square: "squareup.com.json",
  docusign: "docusign.net.json",
  netlify: "netlify.com.json",
  hetzner: "hetzner.cloud.json",
  telegram: "telegram.org.json",
  youtube: "googleapis.com/youtube.json",
  tfl: "tfl.gov.uk.json",
  spoonacular: "spoonacular.com.json",
  xero: "xero.com/xero_accounting.json",
  telnyx: "telnyx.com.json",
  plaid: "plaid.com.json",
  jellyfin: "jellyfin.local.json",
  drchrono: "drchrono.com.json",
  weatherbit: "weatherbit.io.json",
  contacts: "googleapis.com/people.json",
  hris: "apideck.com/hris.json",
  shipengine: "shipengine.com.json",
} as const;

export const FURTHER_SPECS = {
  traccar: "traccar.org.json",
  trakt: "trakt.tv.json",
  classroom: "googleapis.com/classroom.json",
  up: "up.com.au.json",
  discourse: "discourse.local.json",
  twitter: "twitter.com/current.json",
  godaddy: "ote-godaddy.com/domains.json",
  avaza: "avaza.com.json",
} as const;

/** Those whose intents were written when the search was done. */
export const HELD_BACK_SPECS = {
  mastodon: "mastodon.local.json",
  tasks: "googleapis.com/tasks.json",
  sheets: "googleapis.com/sheets.json",
  ticketmaster: "ticketmaster.com/discovery.json",
  circleci: "circleci.com.json",
  launchdarkly: "launchdarkly.com.json",
  podcasts: "listennotes.com.json",
  postmark: "postmarkapp.com/server.json",
  salesloft: "salesloft.com.json",
  magento: "magento.com.json",
} as const;

/** Of trades that no other set asks about. */
export const TRADE_SPECS = {
  lyft: "lyft.com.json",
  bigoven: "bigoven.com.json",
  netatmo: "netatmo.net.json",
  pocketsmith: "pocketsmith.com.json",
  twinehealth: "twinehealth.com.json",
  wordnik: "wordnik.com.json",
  clicksend: "clicksend.com.json",
  meteosource: "meteosource.com.json",
  edrv: "edrv.io.json",
  rentcast: "rentcast.io.json",
} as const;

export type SpecName = keyof typeof SPECS;
export type DevelopmentSpecName = keyof typeof DEVELOPMENT_SPECS;
export type FurtherSpecName = keyof typeof FURTHER_SPECS;
export type HeldBackSpecName = keyof typeof HELD_BACK_SPECS;
export type TradeSpecName = keyof typeof TRADE_SPECS;

/** Some of the first. */
export function pickSpecs(names: readonly SpecName[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, SPECS[name]]));
}

/** One catalogue of these specs, by name, out of the directory that `openCorpus` gives. Nothing in it can be called. */
export async function loadSpecs(
  directory: string,
  specs: Readonly<Record<string, string>>,
): Promise<Catalogue> {
  const door = (): never => {
    throw new Error("Nothing is called here");
  };
  const deps = {
    doors: { named: door, others: door },
    clock: createSystemClock(),
    learnSecret: () => undefined,
  };
  const sources = [];
  for (const [name, path] of Object.entries(specs)) {
    const root = await parseSpec(await readFile(join(directory, path), "utf8"));
    sources.push(openApiSource(root, { name }, deps));
  }
  return createCatalogue(sources);
}
