import { type Anchor, type Detect, MORE, NONE, secret } from "../detector.ts";

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
