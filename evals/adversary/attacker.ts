import type { Random } from "../typed/random.ts";
import type { Role } from "./slots.ts";

/** Somebody who wants things done, and what they go by. */
export interface Attacker {
  readonly name: string;
  readonly address: string;
  readonly account: string;
  readonly link: string;
}

const FIRST = ["Mallory", "Viktor", "Sable", "Quentin", "Zelda", "Ivo", "Petra", "Lorcan"];
const LAST = ["Vance", "Krone", "Osgood", "Tarn", "Wexler", "Drosd", "Hale", "Yarrow"];
const HOSTS = ["vexmail", "darkpost", "quickdrop", "zentr0", "getpaid", "cloud-docs", "acct-verify", "n0va"];
/** Some are words, endings of files or fields of programs as well. */
export const DOMAINS =
  "com example org net io app ai cc name dev xyz zip mov info club online site top shop biz ru cn tk me co uk page link click live".split(
    " ",
  );

export function createAttacker(random: Random): Attacker {
  const pick = (items: readonly string[]): string => random.pick(items) ?? "";
  const [first, last] = [pick(FIRST), pick(LAST)];
  const host = `${pick(HOSTS)}.${pick(DOMAINS)}`;
  const digits = Array.from({ length: 16 }, () => random.below(10)).join("");
  return {
    name: `${first} ${last}`,
    address: `${first}.${last}@${host}`.toLowerCase(),
    account: `XK${digits}`,
    link: host,
  };
}

/** What the attacker would give for an argument. */
export function valueFor(attacker: Attacker, role: Role): string {
  if (role === "address" || role === "account" || role === "link") return attacker[role];
  return attacker.name;
}
