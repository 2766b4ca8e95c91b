/** Shorter ones are no secrets, and would tear holes into plain words. */
const MIN_CHARS = 6;
const HIDDEN = "[redacted]";

/** Takes these secrets out of a text, in every form that an answer would repeat them in. */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) =>
    secret.length < MIN_CHARS
      ? []
      : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
  );
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}
