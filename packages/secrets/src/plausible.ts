/**
 * Tells a random value from a word, an example or a reference. Every check looks at a bounded amount of text.
 */

/** Bits per character below which nothing was drawn at random. */
const MIN_TOKEN_ENTROPY = 2.6;
const MIN_NUMBER_ENTROPY = 1.5;
const SHORTEST_MEASURED = 12;
/**
 * The share of a value's characters that may be in words before it counts as a name, and in counting runs
 * before it counts as an example.
 */
const WORDY_SHARE = 0.6;
const COUNTED_SHARE = 0.6;

const EXAMPLE =
  /example$|^example|sample|placeholder|redacted|change.?me|dummy|your.{0,12}(?:key|token|secret|pass)|(?:key|token|secret|string|password)[_-]?here|insert[_-]|xxxx|\.\.\.|\*\*\*|####/i;
const REFERENCE =
  /^\$\w+$|^\$\{.*\}$|^\$\(.*\)$|\$\{\w+\}|^%\w+%$|^@\w+@$|^\{\w*\}$|^<[^>]*>?$|^\[redacted|^(?:process\.env|import\.meta|os\.environ|env\.|secrets\.|vars?\.|config\.|params\.|self\.|this\.)|\{\{|^(?:true|false|null|undefined|none)$/i;
/** Placeholders for a user or a password in explanations. */
const STAND_IN =
  /^(?:pass(?:w(?:or)?d)?|pwd|token|test|secret|x+|y+|z+|user(?:name)?|api.?key|key|foo|bar|admin|root|guest)$/i;

/** Shannon entropy of the characters, in bits each. */
export function entropyOf(text: string): number {
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Documentation's stand-in for a value: `xxxx`, `AKIA…EXAMPLE`, `0123456789abcdef`, one character again and again. */
export function isExample(value: string): boolean {
  if (EXAMPLE.test(value)) return true;
  const least = /^\d+$/.test(value) ? MIN_NUMBER_ENTROPY : MIN_TOKEN_ENTROPY;
  if (value.length >= SHORTEST_MEASURED && entropyOf(value.toLowerCase()) < least) return true;
  return countedShare(value) >= COUNTED_SHARE;
}

/** Drawn from letters and digits: neither words, nor a count, nor one of them alone. */
export function isRandom(value: string): boolean {
  const digits = value.replaceAll(/\D/g, "").length;
  const letters = value.replaceAll(/[^A-Za-z]/g, "").length;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (letters === 0 || (digits === 0 && !isMixed) || isExample(value)) return false;
  // Few digits also stand in names.
  return digits * 8 >= value.length || !(isWordy(value) || isCamelCase(value.replaceAll(/[^A-Za-z]/g, "")));
}

/** `${X}`, `$(cat x)`, `process.env.X`, `<your key>`, `{{ x }}`, `%X%`: where a value comes from, not the value. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** `password`, `test`, `xxx`: the word for it. */
export function isStandIn(value: string): boolean {
  return STAND_IN.test(value);
}

/** Mostly made of words: `PdfKeySize.Key128Bit`, `NEXUS-GPT4-API-KEY`, `sumOfExposures`. */
export function isWordy(value: string): boolean {
  let letters = 0;
  let inWords = 0;
  for (const [part] of value.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g)) {
    letters += part.length;
    if (part.length >= 3 && isPronounceable(part)) inWords += part.length;
  }
  return letters > 0 && inWords / letters >= WORDY_SHARE;
}

function isPronounceable(part: string): boolean {
  if (!/^[A-Za-z]+$/.test(part)) return false;
  const vowels = part.replaceAll(/[^aeiouyAEIOUY]/g, "").length / part.length;
  return vowels >= 0.2 && vowels <= 0.7;
}

/** Letters of one case changing to the other as seldom as in `camelCase`; random ones do it half the time. */
export function isCamelCase(value: string): boolean {
  if (!/^[A-Za-z]+$/.test(value)) return false;
  let changes = 0;
  for (let at = 1; at < value.length; at++) {
    if (/[a-z]/.test(value.charAt(at)) !== /[a-z]/.test(value.charAt(at - 1))) changes++;
  }
  return changes / (value.length - 1) < 0.35;
}

/** A path, a file's name, a host, a version: what configuration is full of. */
export function isLocator(value: string): boolean {
  return (
    /^(?:\.{0,2}\/|~\/|[A-Z]:\\|https?:|urn:)/i.test(value) ||
    /\.(?:pem|cer|crt|key|p12|pfx|jks|keytab|json|ya?ml|xml|txt|properties|conf|ini|toml|env|[jt]sx?|py|go|rb|java|html?|png|svg|com|net|org|io|dev|local|internal)$/i.test(
      value,
    ) ||
    /(?:^|[-_.v])\d+\.\d+(?:\.\d+)*(?:[-_.][\w-]*)?$/i.test(value)
  );
}

function countedShare(value: string): number {
  let counted = 0;
  let run = 1;
  for (let at = 1; at <= value.length; at++) {
    const step = value.charCodeAt(at) - value.charCodeAt(at - 1);
    const goesOn = step === 1 || (value.charAt(at - 1) === "9" && value.charAt(at) === "0");
    if (goesOn) run++;
    else {
      if (run >= 4) counted += run;
      run = 1;
    }
  }
  return value.length === 0 ? 0 : counted / value.length;
}
