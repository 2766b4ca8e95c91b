/**
 * Secrets without a shape of their own, told by the name they are assigned to: a vendor's name, at most a few
 * more characters, `=` or `:` or the like, and a value of the length and alphabet that this vendor uses.
 *
 * Lengths and alphabets follow the vendors' documentation and the rules of gitleaks
 * (Copyright (c) 2019 Zachary Rice, MIT licence).
 *
 * One row each: names, then the shapes of values, as `shapeOf` reads them. `only`: the vendor
 * documents this one shape, so nothing else beside its name is its key; name and value in their own case.
 */
export type VendorRow = readonly [names: string, shapes: string, rule?: "only"];

export const VENDOR_ROWS: readonly VendorRow[] = [
  ["adafruit", "word-32"],
  ["adobe", "hex32"],
  ["airtable", "alnum17"],
  ["algolia", "alnum32"],
  ["alibaba", "alnum30"],
  ["asana", "digit16 alnum32"],
  ["atlassian confluence jira", "alnum24"],
  ["beamer", "b_[\\w=-]{44}"],
  ["bitbucket", "alnum32 word=64"],
  ["bittrex", "alnum32"],
  ["meraki", "[0-9a-f]{40}", "only"],
  ["cloudflare", "word-40 hex37"],
  ["codecov", "alnum32 uuid"],
  ["cohere co_api_key", "alnum40"],
  ["coinbase", "word-64"],
  ["confluent", "alnum16 alnum64"],
  ["contentful", "word=43"],
  ["datadog", "alnum40 hex32"],
  ["dnkey", "dnkey-[\\w=-]{26}-[\\w=-]{52}"],
  ["discord", "hex64 digit18 digit19 word=32"],
  ["droneci", "alnum32"],
  ["dropbox", "alnum15 [a-z0-9]{11}a{10}[\\w=-]{43} sl\\.[\\w=-]{100,400}"],
  ["etsy", "alnum24"],
  ["facebook", "hex32"],
  ["fastly", "word=32"],
  ["finicity", "hex32 alnum20"],
  ["finnhub", "alnum20"],
  ["flickr", "alnum32"],
  ["freshbooks", "alnum64"],
  ["gitter", "word-40"],
  ["gocardless", "live_[\\w=-]{40}"],
  ["heroku", "uuid"],
  ["hubspot", "uuid"],
  ["intercom", "word=60"],
  ["jfrog artifactory bintray xray", "alnum73 alnum64"],
  ["kraken", "[\\w/=+-]{80,90}"],
  ["kucoin", "hex24 uuid"],
  ["launchdarkly", "word=40"],
  ["linear", "hex32"],
  ["linkedin linked-in linked_in", "alnum14 alnum16"],
  ["lob", "(?:live|test)_hex35 (?:live|test)_pub_hex31"],
  ["looker", "alnum20 alnum24"],
  ["mailchimp", "hex32-us\\d\\d"],
  ["mailgun", "key-hex32 pubkey-hex32 [a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}"],
  ["mapbox", "pk\\.[a-z0-9]{60}\\.[a-z0-9]{22}"],
  ["mattermost", "alnum26"],
  ["messagebird message-bird message_bird", "alnum25 uuid"],
  ["netlify", "[\\w=-]{40,46}"],
  ["newrelic new-relic new_relic", "nrjs-hex19 nrii-[a-z0-9-]{32} alnum64 nrak-alnum27"],
  ["nytimes newyorktimes new-york-times new-york-times,", "word=32"],
  ["okta", "00[\\w=-]{40}", "only"],
  ["plaid", "alnum24 alnum30"],
  ["privateai private-ai private_ai", "[a-z0-9]{32}", "only"],
  ["rapidapi", "word-50"],
  ["sendbird", "uuid hex40"],
  ["sentry", "hex64"],
  ["contribsys__com", "hex8:hex8"],
  ["snyk", "uuid"],
  ["sonar", "(?:sq[upa]_)?[\\w=-]{40}"],
  ["sourcegraph", "hex40"],
  ["squarespace", "uuid"],
  ["sumo", "alnum64"],
  ["sumo", "su[a-zA-Z0-9]{12}", "only"],
  ["telegr", "\\d{5,16}:a[\\w-]{34}"],
  ["travis", "alnum22"],
  ["twitch", "alnum30"],
  ["twitter", "alnum45 \\d{15,25}-[a-z0-9]{20,40} alnum25 alnum50 a{22}[a-z0-9%]{80,100}"],
  ["typeform", "tfp_[\\w.=-]{59}"],
  ["yandex", "t1\\.[\\w-]{1,200}={0,2}\\.[\\w-]{86}={0,2} aqvn[\\w-]{35,38} yc[\\w-]{38}"],
  ["zendesk", "alnum40"],
];

const ALPHABETS: Readonly<Record<string, string>> = {
  hex: "[a-f0-9]",
  alnum: "[a-z0-9]",
  digit: "[0-9]",
  "word-": "[\\w-]",
  "word=": "[\\w=-]",
};

/** `hex32` is 32 hexadecimal digits, and so on; `uuid` is one; all else is a regular expression already. */
export function shapeOf(words: string): string {
  return words
    .split(" ")
    .map((word) =>
      word
        .replace("uuid", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        .replaceAll(
          /(hex|alnum|digit|word-|word=)(\d+)/g,
          (_, name: string, n: string) => `${ALPHABETS[name]}{${n}}`,
        ),
    )
    .join("|");
}
