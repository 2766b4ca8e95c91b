import { outerGroup, splitTop, walkType } from "./type-text.ts";

/**
 * A printed type cut to about `maxChars`: keeps the first parts of a union, an object or a list of arguments
 * and counts the others, at any depth.
 */
export function shortenType(text: string, maxChars: number): string {
  const type = withoutNoise(text);
  return cut(shorten(type, maxChars), maxChars + SLACK_CHARS);
}

function shorten(type: string, maxChars: number): string {
  if (type.length <= maxChars) return type;
  const union = splitTop(type, " | ");
  if (union.length > 1) return keepFirst(union, " | ", maxChars);
  const group = outerGroup(type);
  if (group === undefined) return cut(type, maxChars);
  const { before, open, inside, close, after } = group;
  const room = maxChars - before.length - after.length - 4;
  if (room < MIN_CHARS) return cut(`${before}${open}…${close}${after}`, Math.max(maxChars, MIN_PART_CHARS));
  if (open !== "{") return `${before}${open}${shortenList(inside, room)}${close}${after}`;
  return `${before}{ ${keepFirst(splitTop(inside, ";"), "; ", room)} }${after}`;
}

/** Leaves room for a count after the last part, and for closing brackets. */
const SLACK_CHARS = 48;
/** Below this length, parts of a part are useless. */
const MIN_CHARS = 12;
/** A part that would be shorter than this is counted instead. */
const MIN_PART_CHARS = 24;
/** Limits one long part so that others fit. */
const PART_OF_ROOM = 0.6;

function shortenList(inside: string, room: number): string {
  const parts = splitTop(inside, ", ");
  return parts.length > 1 ? keepFirst(parts, ", ", room) : shorten(inside, room);
}

const UNDEFINED = " | undefined";
const IMPORT = /import\("[^"]*"\)\./y;

/** An optional property implies `undefined`, and the path of a cell's own type is noise. */
function withoutNoise(text: string): string {
  const cuts: { readonly from: number; readonly to: number }[] = [];
  /** By depth: whether the member there is optional. */
  const isOptional: boolean[] = [];
  walkType(text, (index, depth) => {
    if (text.startsWith("?: ", index)) isOptional[depth] = true;
    if (text.charAt(index) === ";") {
      if (isOptional[depth] === true && text.endsWith(UNDEFINED, index)) {
        cuts.push({ from: index - UNDEFINED.length, to: index });
      }
      if (text.startsWith("; }", index)) cuts.push({ from: index, to: index + 1 });
      isOptional[depth] = false;
    }
    IMPORT.lastIndex = index;
    if (text.charAt(index) === "i" && IMPORT.test(text)) cuts.push({ from: index, to: IMPORT.lastIndex });
  });
  return cuts.reduceRight((left, { from, to }) => left.slice(0, from) + left.slice(to), text);
}

function keepFirst(parts: readonly string[], separator: string, maxChars: number): string {
  const known = parts.map((part) => part.trim()).filter((part) => part !== "");
  const kept: string[] = [];
  let left = maxChars;
  for (const [index, part] of known.entries()) {
    if (countOf(part) > 1 || (kept.length > 0 && left < Math.min(part.length, MIN_PART_CHARS))) break;
    const share = index === known.length - 1 ? left : left * PART_OF_ROOM;
    const short = shorten(part, Math.max(share, MIN_PART_CHARS));
    kept.push(short);
    left -= short.length + separator.length;
  }
  const more = known.slice(kept.length).reduce((sum, part) => sum + countOf(part), 0);
  return more === 0 ? kept.join(separator) : [...kept, `… ${more} more`].join(separator);
}

/** TypeScript cuts long unions itself: `"a" | ... 287 more ... | "z"`. */
function countOf(part: string): number {
  return Number(/^\.\.\. (\d+) more \.\.\.$/.exec(part)?.[1] ?? 1);
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, Math.max(maxChars - 1, 1))}…`;
}
