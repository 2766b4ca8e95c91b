import { POLITE } from "./plain-request.ts";
import { AMOUNT, readAmount } from "./spoken-amount.ts";

/** A question about a growing number: how large it is, or whether it has reached a goal. */
export interface MetricsRequest {
  readonly kind: "metrics";
  readonly metric: "visitors" | "subscribers";
  /** Undefined if the number itself is asked for. */
  readonly goal: number | undefined;
  /** `once`: report it when it has happened, and so check repeatedly. */
  readonly asks: "now" | "once";
  /** The service that the user named. */
  readonly service: string | undefined;
}

/** Other words are not accepted: they could be a condition (“visitors from Spain”). */
const SERVICE = [
  "posthog|plausible|google analytics|matomo|umami|fathom|mixpanel|amplitude",
  "mailchimp|substack|buttondown|beehiiv|convertkit|the metrics(?: service)?|the demo",
].join("|");
const WITH = `(?: (?:with|on|in|at|using|via|from|according to) (?:${SERVICE}))?`;
const OURS = "(?:my|our|the) (?:site|website|web site|page|app|blog|shop|store|newsletter)";
const WHO = `(?:${OURS}|we|i)`;
const METRIC = "(?:unique )?(?:visitors|subscribers)";
const REACH =
  "(?:(?:has|have) )?(?:hit|hits|reach|reached|reaches|pass|passed|passes|cross|crossed|crosses|got|gotten|has|have)";
const CLAIM = `${WHO} ${REACH} (?:at least )?(?<amount>${AMOUNT}) ${METRIC}${WITH}(?: yet| already)?`;
const TELL = "(?:let me know|tell me|notify me|inform me)";
const IF_SO =
  "(?:(?:if|when|once|as soon as) (?:it|they|we|i|that) (?:has|have|is|does|did|is the case)|if so|if yes)";
const CHECK = `(?:check|look|see|find out)(?:${WITH}| (?:${SERVICE})) (?:if|whether|to see if|to see whether) ${CLAIM}`;

const REACHED = new RegExp(
  `^${POLITE}${CHECK}(?:(?:,| and|, and) (?:${IF_SO},? )?${TELL}(?: ${IF_SO})?)?${WITH}(?:,? please)?$`,
  "i",
);
const ONCE = new RegExp(`^${POLITE}${TELL} (?:if|when|once|as soon as) ${CLAIM}${WITH}(?:,? please)?$`, "i");

const PEOPLE = "(?:people|users|readers|customers)";
const TO_US = `(?: to ${OURS})?`;
const SO_FAR = "(?: so far| in total| until then| by then| now| today)?";
const HOW_MANY = [
  `how many ${PEOPLE} (?:have |are )?subscribed${TO_US}`,
  `how many ${PEOPLE} (?:have )?visited ${OURS}`,
  `how many ${METRIC} (?:${WHO} (?:has|have)(?: had)?|there (?:are|were|have been))`,
  `the number of (?:my |our |the )?${METRIC}(?: of ${OURS})?`,
].join("|");
const COUNT = new RegExp(
  `^${POLITE}(?:(?:tell|show|send) me|let me know|report) (?:${HOW_MANY})${SO_FAR}${WITH}(?:,? please)?$`,
  "i",
);

/** The whole text must be this, in one of a few phrasings; see `parseCloseIssues`. */
export function parseMetrics(text: string): MetricsRequest | undefined {
  const once = ONCE.exec(text);
  const claim = once ?? REACHED.exec(text);
  const goal = claim === null ? undefined : readAmount(claim.groups?.["amount"] ?? "");
  if (claim === null ? !COUNT.test(text) : goal === undefined) return undefined;
  return {
    kind: "metrics",
    metric: /subscri/i.test(text) ? "subscribers" : "visitors",
    goal,
    asks: once === null ? "now" : "once",
    service: new RegExp(`(?:${SERVICE})`, "i").exec(text)?.[0],
  };
}
