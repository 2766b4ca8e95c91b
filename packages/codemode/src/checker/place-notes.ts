import type { Member, PlacedDiagnostic, PlaceFacts, TypeFacts } from "./compiler-diagnostic.ts";
import { shortenType } from "./shorten-type.ts";
import { toolExpression } from "./tool-expression.ts";

const MAX_LIST_CHARS = 200;
const MAX_TYPE_CHARS = 300;
const MAX_MEMBER_CHARS = 80;
/** A type with more members is a class of the language, whose names are well known. */
const MAX_MEMBERS_LISTED = 40;

/** What exists, what is missing, what was expected: one line each, in this order. */
export function placeNotes(diagnostic: PlacedDiagnostic, headline: string): readonly string[] {
  const { facts } = diagnostic;
  return [
    availableNote(facts, headline),
    missingNote(facts, headline),
    expectedNote(facts, headline),
    callNote(facts),
  ].filter((note) => note !== undefined);
}

/** Missing members of an object, as declared. */
export function missingMembers({ expected, given }: PlaceFacts): readonly string[] {
  if (expected?.kind !== "object" || given?.kind !== "object") return [];
  return expected.members
    .filter((member) => member.isRequired && !given.memberNames.includes(member.name))
    .map(printMember);
}

function availableNote(facts: PlaceFacts, headline: string): string | undefined {
  const tools = facts.missingTool ?? facts.toolGroup;
  if (tools !== undefined) {
    const { prefix, names } = childrenOf(tools.path, tools.toolPaths);
    return names.length === 0 ? "There are no tools." : `${toolExpression(prefix)} has: ${listNames(names)}`;
  }
  if (facts.lookup === undefined) return undefined;
  const { on, owner } = facts.lookup;
  if (owner.kind === "array" && owner.members.length > 0) {
    // Somebody who meant one of its methods knows what it is.
    if (headline.includes(" Did you mean ")) return undefined;
    return `${on} is an array; each element is ${printMembers(owner, MAX_TYPE_CHARS)}`;
  }
  if (owner.kind !== "object" || owner.memberNames.length === 0) return undefined;
  return owner.memberNames.length <= MAX_MEMBERS_LISTED
    ? `${on} has: ${listNames(owner.memberNames)}`
    : undefined;
}

function missingNote(facts: PlaceFacts, headline: string): string | undefined {
  const missing = missingMembers(facts);
  if (missing.length === 0 || isSaidOtherwise(headline)) return undefined;
  return `Missing: ${missing.join("; ")}`;
}

/** Only if the headline could not show it in full. */
function expectedNote({ expected, given, call }: PlaceFacts, headline: string): string | undefined {
  if (expected === undefined) return undefined;
  if (expected.literals.length > 1) {
    const isSaid = expected.literals.every((literal) => headline.includes(literal));
    return isSaid ? undefined : `Allowed: ${listNames(expected.literals)}`;
  }
  const printed = printType(expected, MAX_TYPE_CHARS);
  if (isShownWhole(headline) || (call !== undefined && printed === printType(call.input, MAX_TYPE_CHARS))) {
    return undefined;
  }
  const got =
    given === undefined || isSaidOtherwise(headline) ? "" : `\nGiven: ${printType(given, MAX_TYPE_CHARS)}`;
  return `Expected: ${printed}${got}`;
}

/** Our own messages about properties already say what exists and what does not. */
function isSaidOtherwise(headline: string): boolean {
  return /^(?:Missing|Unknown) /.test(headline);
}

/** TypeScript's own message names both types, unless it was too long. */
function isShownWhole(headline: string): boolean {
  return /type '/.test(headline) && !/…|\.\.\./.test(headline);
}

function callNote({ call }: PlaceFacts): string | undefined {
  if (call === undefined) return undefined;
  const mark = call.isOptional ? "?" : "";
  return `Declared: ${call.callee}(input${mark}: ${printType(call.input, MAX_TYPE_CHARS)})`;
}

/** The longest beginning of a path that exists, and the names that follow it. */
function childrenOf(
  path: string,
  toolPaths: readonly string[],
): { readonly prefix: string; readonly names: readonly string[] } {
  const wanted = path.split(".");
  for (let length = wanted.length; length >= 0; length--) {
    const prefix = wanted.slice(0, length).join(".");
    const below = toolPaths.filter((tool) => prefix === "" || tool.startsWith(`${prefix}.`));
    const names = below.map((tool) => tool.split(".")[length] ?? "");
    if (below.length > 0) return { prefix, names: [...new Set(names)] };
  }
  return { prefix: "", names: [] };
}

function listNames(names: readonly string[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const name of names) {
    chars += name.length + 2;
    if (shown.length > 0 && chars > MAX_LIST_CHARS) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")}, … ${more} more`;
}

function printType(type: TypeFacts, maxChars: number): string {
  return type.kind === "object" && type.members.length > 0
    ? printMembers(type, maxChars)
    : shortenType(type.text, maxChars);
}

function printMembers(type: TypeFacts, maxChars: number): string {
  const more = type.kind === "object" ? type.memberNames.length - type.members.length : 0;
  const all = [...type.members.map(printMember), ...(more > 0 ? [`… ${more} more`] : [])];
  return shortenType(`{ ${all.join("; ")} }`, maxChars);
}

function printMember(member: Member): string {
  const name = /^[\w$]+$/.test(member.name) ? member.name : JSON.stringify(member.name);
  const type = shortenType(member.type, MAX_MEMBER_CHARS);
  return member.isRequired ? `${name}: ${type}` : `${name}?: ${type.replace(/ \| undefined$/, "")}`;
}
