import {
  type Anchor,
  type Detect,
  isOpen,
  LONGEST_BEFORE,
  MORE,
  NONE,
  secret,
  type Span,
} from "../detector.ts";
import { isRandom } from "../plausible.ts";

/** What stands before a sign and behind it; tokens that have no words of their own. */
interface Structure {
  readonly sign: "." | "-" | ":" | "_";
  /** Ends at the sign. */
  readonly before: RegExp;
  /** Begins at the sign. */
  readonly after: RegExp;
}

const STRUCTURES: readonly Structure[] = [
  // Discord: the bot's id in base64, a time, a signature.
  { sign: ".", before: /(?<![\w.-])[MNO][\w-]{22,27}$/, after: /\.[\w-]{6}\.[\w-]{25,40}(?![\w-])/y },
  // Mailgun
  { sign: "-", before: /(?<![\w-])[0-9a-f]{32}$/, after: /-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/y },
  // Ghost: an id and a key.
  { sign: ":", before: /(?<![\w-])[0-9a-f]{24}$/, after: /:[0-9a-f]{64}(?!\w)/y },
  // Ably
  { sign: ":", before: /(?<![\w.-])[\w-]{6}\.[\w-]{6}$/, after: /:[\w-]{20,48}(?![\w-])/y },
  // WeChat
  { sign: ":", before: /(?<!\w)wx[0-9a-f]{16}$/, after: /:[0-9a-f]{32}(?!\w)/y },
  // Firebase's server key
  { sign: ":", before: /(?<![\w-])AAAA[\w-]{7}$/, after: /:APA91b[\w-]{100,160}/y },
  // Twilio: an account and its token.
  { sign: ":", before: /(?<!\w)AC[0-9a-f]{32}$/, after: /:[0-9a-f]{32}(?!\w)/y },
  // Genesys, and others that have an id and a secret.
  {
    sign: ":",
    before: /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    after: /:[\w-]{36,64}(?![\w-])/y,
  },
  // A short word for the vendor, and many drawn letters and digits.
  {
    sign: "_",
    before: /(?<![A-Za-z0-9-])[a-z][a-z0-9]{1,11}(?:_[a-z0-9]{1,10})?$/,
    after: /_[A-Za-z0-9]{34,255}(?![\w-])/y,
  },
  // Ngrok
  { sign: "_", before: /(?<![\w-])2[A-Za-z0-9]{26}$/, after: /_[A-Za-z0-9]{20,24}(?![\w-])/y },
  // Bitwarden
  { sign: ":", before: /(?<!\w)0\.[0-9a-f-]{36}\.[A-Za-z0-9]{30}$/, after: /:[A-Za-z0-9+/]{22}==/y },
];
const LONGEST_AFTER = 200;

/** Cheap, and false for nearly everything. What is not there yet may be anything. */
const PROBES: Readonly<Record<Structure["sign"], (text: string, at: number) => boolean>> = {
  ".": (text, at) => at + 7 >= text.length || text.charAt(at + 7) === ".",
  "-": (text, at) => at + 9 >= text.length || text.charAt(at + 9) === "-",
  _: (text, at) => {
    for (let n = at + 1; n < at + 21 && n < text.length; n++)
      if (!isAlphanumeric(text.charCodeAt(n))) return false;
    return true;
  },
  ":": (text, at) => {
    for (let n = at + 1; n < at + 21 && n < text.length; n++) {
      const unit = text.charCodeAt(n);
      if (unit <= 32 || unit === 34 || unit === 39 || unit === 47) return false;
    }
    return true;
  },
};

/** Tokens that are known by how their parts are put together. */
export const structuredAnchors: readonly Anchor[] = (["-", ":", "_"] as const)
  .map((sign): Anchor => ({ literal: `${sign}**`, detect: detectStructure(sign) }))
  .concat({ literal: ".??", detect: detectStructure(".") });

function detectStructure(sign: Structure["sign"]): Detect {
  const probe = PROBES[sign];
  const structures = STRUCTURES.filter((structure) => structure.sign === sign);
  return (view, at) => {
    const { text } = view;
    if (!probe(text, at)) return NONE;
    const before = text.slice(Math.max(0, at - LONGEST_BEFORE), at);
    for (const structure of structures) {
      const part = structure.before.exec(before)?.[0];
      if (part === undefined) continue;
      if (isOpen(view, at, LONGEST_AFTER)) return MORE;
      structure.after.lastIndex = at;
      if (!structure.after.test(text)) continue;
      const end = structure.after.lastIndex;
      const drawn = text.slice(at + 1, end);
      if (
        sign === "_" &&
        !(
          /[a-z]/.test(drawn) &&
          /[A-Z]/.test(drawn) &&
          /\d.*\d/.test(drawn) &&
          drawn.replaceAll(/[\da-fA-F]/g, "").length >= 6
        )
      )
        continue;
      if (isRandom(drawn)) return secret(at - part.length, end);
    }
    return NONE;
  };
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

const KIND = /\bkind:[ \t]*["']?secret\b/i;
const ENTRY =
  /(\s[\w.-]{1,100}:(?:[ \t]*[|>][-+]?\s{1,40})?[ \t]{0,40})(["']?[a-z0-9+/]{10,2048}={0,3}["']?|\{\{[^}\n]{0,100}\}\}|""|'')/gi;
/** From `data:` to the first entry, from there to `kind: Secret` when that comes last, and to the last entry. */
const NEAR_ENTRY = 140;
const NEAR_KIND = 420;
const LONGEST_DATA = 4_096;
const LOOK_BACK = 300;

/** The values under `data:` of a manifest of kind Secret, whatever they look like. */
export const kubernetesAnchor: Anchor = { literal: "data:", detect: detectKubernetesSecret };

function detectKubernetesSecret(...[view, at, end]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  const data = text.slice(end, end + LONGEST_DATA);
  const near = data.slice(0, NEAR_ENTRY);
  ENTRY.lastIndex = 0;
  if (!/\s[\w.-]{1,100}:/.test(near)) return !view.isFinal && near.length < NEAR_ENTRY ? MORE : NONE;
  const isAfterKind = KIND.test(text.slice(Math.max(0, at - LOOK_BACK), at));
  const isBeforeKind = KIND.test(data.slice(0, NEAR_KIND));
  if (!isAfterKind && !isBeforeKind) return !view.isFinal && data.length < NEAR_KIND ? MORE : NONE;
  if (!view.isFinal && data.length < LONGEST_DATA) return MORE;
  const spans: Span[] = [];
  for (const found of data.matchAll(ENTRY)) {
    const start = end + found.index + (found[1] ?? "").length;
    spans.push({ start, end: start + (found[2] ?? "").length });
  }
  return spans.length === 0 ? NONE : { kind: "secret", spans };
}

/** Longer ones lose their beginning as a whole, and the lines of base64 that follow. */
const LONGEST_KEY = 16_384;
const LONGEST_HEADER = 140;
const SHORTEST_BODY = 64;

const HEADER = /-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----/iy;
const FOOTER = /KEY(?: BLOCK)?-----/gi;
const CUT_BODY = new RegExp(String.raw`(?:[A-Za-z0-9+/=\s:,-]|\\[nr]){${SHORTEST_BODY},${LONGEST_KEY}}`, "y");

/** A PEM or PGP private key from its first line to its last; without a last line, as far as it looks like one. */
export const privateKeyAnchor: Anchor = { literal: "-----begin", detect: detectPrivateKey };

function detectPrivateKey(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  HEADER.lastIndex = at;
  if (HEADER.exec(text) === null) return !view.isFinal && text.length - at < LONGEST_HEADER ? MORE : NONE;
  const bodyAt = HEADER.lastIndex;
  const body = text.slice(bodyAt, bodyAt + LONGEST_KEY);
  FOOTER.lastIndex = SHORTEST_BODY;
  if (FOOTER.exec(body) !== null) return secret(at, bodyAt + FOOTER.lastIndex);
  if (!view.isFinal && body.length < LONGEST_KEY) return MORE;
  CUT_BODY.lastIndex = bodyAt;
  const cut = CUT_BODY.exec(text)?.[0];
  if (cut === undefined || !/[A-Za-z0-9+/]{40}/.test(cut)) return NONE;
  return secret(at, CUT_BODY.lastIndex, cut.length >= LONGEST_KEY ? "lines" : undefined);
}
