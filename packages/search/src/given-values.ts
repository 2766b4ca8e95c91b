/** What a question gives rather than asks for, and what tools that take such a thing speak of. */
export interface GivenValues {
  /** The question without them. */
  readonly rest: string;
  readonly kinds: readonly ValueKind[];
}

export interface ValueKind {
  readonly term: string;
  /** How much it counts beside a word. */
  readonly weight: number;
  readonly meant: readonly string[];
}

const ENDINGS =
  "com|org|net|io|dev|app|co|ai|info|biz|shop|online|site|me|tv|eu|uk|de|fr|es|it|nl|ch|at|us|ca|au|jp|in|br";
const FILES =
  "pdf|docx?|xlsx?|pptx?|csv|txt|md|png|jpe?g|gif|svg|heic|zip|mp3|mp4|mov|wav|json|html?|key|pages";
const MONEY = "dollars?|usd|euros?|eur|bucks|quid|pounds|gbp|francs|chf|cents|yen";

const KINDS: readonly (ValueKind & { readonly form: RegExp })[] = [
  kind(/https?:\/\/\S+/giu, "url", 0.5, "link website page"),
  kind(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, "email", 0.3, "address contact user member recipient"),
  kind(new RegExp(`\\b[\\w-]+\\.(?:${FILES})\\b`, "giu"), "file", 0.5, "document upload"),
  kind(new RegExp(`\\b(?:[a-z0-9-]+\\.)+(?:${ENDINGS})\\b`, "giu"), "domain", 0.6, "dns website site host"),
  kind(/\b\d{1,3}(?:\.\d{1,3}){3}\b/gu, "ip", 0.4, "dns record host server"),
  kind(/\b[A-Z][A-Z0-9_]*=\S+/gu, "variable", 0.7, "env environment setting config secret"),
  kind(/(?<!\w)\+?\d[\d ()-]{7,}\d\b/gu, "phone", 0.4, "number"),
  kind(
    /\b\d{1,2}(?::\d\d)? ?(?:am|pm|uhr)\b|\b\d{1,2}:\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{4}-\d\d-\d\d\b/giu,
    "date",
    0.12,
    "time schedule",
  ),
  kind(
    new RegExp(`[$€£¥]\\s?\\d[\\d.,]*|\\b\\d[\\d.,]*\\s?(?:€|(?:${MONEY})\\b)`, "giu"),
    "amount",
    0.15,
    "payment price money",
  ),
  kind(/\b\d[\d.,]*\s?(?:kg|g|lbs?|oz|pounds|grams?|kilos?|tons?)\b/giu, "weight", 0.4, "package shipment"),
  kind(/\b\d[\d.,]*\s?(?:degrees?|°)/giu, "temperature", 0.8, "setpoint thermostat weather"),
  kind(/\b\d[\d.,]*\s?(?:gb|tb|mb|gib)\b/giu, "size", 0.4, "storage disk volume"),
  kind(/(?<!\w)#\p{L}[\w-]*/gu, "channel", 0.5, "conversation room tag topic"),
  kind(/(?<!\w)@\w[\w.-]*/gu, "username", 0.3, "user member profile"),
];

export function takeGivenValues(text: string): GivenValues {
  const kinds: ValueKind[] = [];
  let rest = text;
  for (const { form, ...each } of KINDS) {
    const left = rest.replaceAll(form, " ");
    if (left !== rest) kinds.push(each);
    rest = left;
  }
  return { rest, kinds };
}

function kind(form: RegExp, term: string, weight: number, meant: string): (typeof KINDS)[number] {
  return { form, term, weight, meant: meant.split(" ") };
}
