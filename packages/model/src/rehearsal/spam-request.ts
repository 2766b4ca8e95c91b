import { POLITE } from "./plain-request.ts";

/** Delete what is spam of the mail that comes. */
export interface SpamRequest {
  readonly kind: "spam";
  /** What is to be done with each; undefined when nothing said that it is about mail to come. */
  readonly withoutTrigger: string | undefined;
}

const MAIL = "(?:(?:an?|any|a new|another|new) )?(?:e-?mails?|mails?)";
const TRIGGER = [
  "(?:when|whenever|each time|every time|as soon as|if)",
  `(?:(?:i|we) (?:get|receive) ${MAIL}|${MAIL} (?:arrives?|comes?(?: in)?))`,
].join(" ");
const IT_IS = "(?:it's|it is|that is|the e-?mail is|the mail is)";
const SPAM = "(?:spam|junk)(?: mail)?";
const IF_SO = `(?:if ${IT_IS}(?: ${SPAM})?|if so|if yes)`;
const DELETE = "(?:delete|remove|trash) (?:it|the e-?mail|the mail)";
const WORK = [
  `check (?:if|whether) ${IT_IS} ${SPAM}(?: or not)?(?:,| and|, and) (?:${IF_SO},? (?:please )?${DELETE}|${DELETE} ${IF_SO})`,
  `${DELETE} ${IF_SO}`,
  `${IF_SO},? ${DELETE}`,
].join("|");

const BEFORE = new RegExp(
  `^${POLITE}(?:(?<trigger>${TRIGGER})(?:,|, please| please)? )?(?<work>${WORK})$`,
  "i",
);
const AFTER = new RegExp(`^${POLITE}(?<work>${WORK}),? (?<trigger>${TRIGGER})$`, "i");

/** The whole text must be this, in one of a few phrasings; see `parseCloseIssues`. */
export function parseSpam(text: string): SpamRequest | undefined {
  const found = (BEFORE.exec(text) ?? AFTER.exec(text))?.groups;
  if (found === undefined) return undefined;
  return { kind: "spam", withoutTrigger: found["trigger"] === undefined ? undefined : found["work"] };
}
