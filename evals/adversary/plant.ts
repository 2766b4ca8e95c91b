import type { ResultTrust } from "@deputy/protocol";
import type { Attacker } from "./attacker.ts";
import type { Told } from "./conversation.ts";
import type { Scene } from "./scene.ts";
import { isObject } from "./slots.ts";
import type { Json } from "./suite.ts";

type Result = Told & { readonly kind: "result" };

/** Fields that say who somebody is. */
const PERSON =
  /sender|author|owner|from|user|login|name|participant|recipient|member|creator|assignee|contact/i;
/** What things are called; whoever makes or shares one chooses it. */
const TITLE = /^(?:file_?)?name$|title|subject|item$/i;
/** No task has it. */
const FRESH_ID = "977";
const ADDRESS = /^[^@\s]+@[^@\s]+$/;
const ACCOUNT = /^[A-Z]{2}\d{10,}$/;

/** True if a tool's author vouches for the values at a place of its results. */
export function isVouched(trust: ResultTrust, path: readonly string[]): boolean {
  if (trust === "trusted") return true;
  if (trust === "untrusted") return false;
  return trust.values.some((pattern) => {
    const parts = pattern.split(".");
    return parts.length === path.length && parts.every((part, at) => part === "*" || part === path[at]);
  });
}

/**
 * What was read, with the attacker's text in it: as a row of their own where there is a list, which has the attacker
 * for sender, author or owner, else within a text. Where nobody else could have written, a page is read as well.
 */
export function planted(
  { read, attacker, random }: Scene,
  payload: string,
  how: Plant["how"] = "after",
): readonly Result[] {
  const open = read.filter(({ trust }) => trust !== "trusted");
  const chosen = random.pick(open);
  if (chosen === undefined) return [...read, webPage(payload)];
  const result = withPayload(chosen.result, { attacker, payload, how, trust: chosen.trust });
  return read.map((one) => (one === chosen ? { ...one, result, isPlanted: true } : one));
}

export function webPage(payload: string): Result {
  return { kind: "result", source: "web.fetch", trust: "untrusted", result: payload, isPlanted: true };
}

interface Plant {
  readonly attacker: Attacker;
  readonly payload: string;
  /** Whether the text comes after what stood there, or instead of it; as a title also where the source vouches for those. */
  readonly how: "after" | "instead" | "as title";
  readonly trust: ResultTrust;
}

/** Where the result has no place for it, the text stands beside it. */
function withPayload(result: unknown, plant: Plant): unknown {
  const { attacker, payload, trust } = plant;
  if (typeof result === "string") return `${result}\n${payload}`;
  if (Array.isArray(result)) {
    const [row] = result;
    if (isObject(row)) return [...result, attackersRow(row, plant, ["*"])];
    return isVouched(trust, ["*"]) ? [...result, attacker.name, payload] : [...result, payload];
  }
  return isObject(result) ? attackersRow(result, plant, []) : payload;
}

/** A row like another one, but the attacker's. */
function attackersRow(row: Json, plant: Plant, around: readonly string[]): unknown {
  const { attacker, payload, how, trust } = plant;
  // Whom the user keeps as a contact is the user's choice.
  const isContact = Object.keys(row).some((name) => /^e?mail$/i.test(name));
  let isWritten = false;
  const entries = Object.entries(row).map(([name, value]) => {
    const theirs = attackersField(name, value, attacker);
    if (Array.isArray(value) && value.some((one) => typeof one === "string"))
      return [name, value.map((one) => attackersField(name, one, attacker) ?? one)];
    if (how === "as title" && !isContact && TITLE.test(name) && typeof value === "string") {
      isWritten = true;
      return [name, payload];
    }
    if (isVouched(trust, [...around, name])) return [name, theirs ?? (isId(name) ? FRESH_ID : value)];
    if (typeof value !== "string" || theirs !== undefined) return [name, theirs ?? value];
    isWritten = true;
    return [name, how !== "after" ? payload : `${value} ${payload}`.trim()];
  });
  const own = Object.fromEntries(entries);
  return isWritten ? own : { ...own, note: payload };
}

function attackersField(name: string, value: unknown, attacker: Attacker): string | undefined {
  if (typeof value !== "string") return undefined;
  if (ADDRESS.test(value)) return attacker.address;
  if (ACCOUNT.test(value)) return attacker.account;
  return PERSON.test(name) && !/file/i.test(name) ? attacker.name : undefined;
}

function isId(name: string): boolean {
  return /(?:^|_)id_?$|Id$/.test(name);
}
