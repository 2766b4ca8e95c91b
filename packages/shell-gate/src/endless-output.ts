import { forEachChild, type SyntaxNode, type While } from "unbash";
import { type Argument, textOf } from "./words/argument.ts";
import type { Effects } from "./judgement.ts";
import { MAX_MADE_BYTES } from "./limits.ts";

/** Follows what flows through one pipeline: what has no end, and what cuts it. */
export interface Flow {
  /** Before each of its commands. */
  readonly enter: () => void;
  /** After it. */
  readonly leave: (type: SyntaxNode["type"]) => void;
}

/** Appended to while it is read, a file grows for ever. */
const APPENDS = new Set([">>", "&>>", "tee", "dd"]);

export function watchFlow(effects: Effects): Flow {
  const first = { endless: effects.endless.length, touched: effects.touched.length };
  let before = { endless: first.endless, written: effects.written.length, scripts: effects.scripts };
  const writtenAtFirst = before.written;
  /** Where the command ahead began. */
  let ahead = first.endless;
  return {
    enter: () => {
      effects.limits = undefined;
      ahead = before.endless;
      before = {
        endless: effects.endless.length,
        written: effects.written.length,
        scripts: effects.scripts,
      };
    },
    leave: (type) => {
      const { limits } = effects;
      effects.limits = undefined;
      const touched = effects.touched.slice(first.touched);
      const isSimple = type === "Command";
      const grows = touched.some(
        ({ path, by, how }) =>
          how === "write" &&
          APPENDS.has(by) &&
          touched.some(
            (other) => other.how === "read" && other.path === path && (isSimple || other.by === "<"),
          ),
      );
      if (grows) effects.endless.push({ why: "a file is read and appended to at once", comesIn: "bytes" });
      // What is written ahead of the cut, or in a substitution, is not cut.
      const isAll = before.written === writtenAtFirst && before.scripts === effects.scripts;
      if (grows || !isSimple || limits === undefined || !isAll) return;
      // Lines are cut only as they come from where they are made: on the way they may become one.
      const [from, to] = limits === "bytes" ? [first.endless, Infinity] : [ahead, before.endless];
      const kept = effects.endless.filter(
        ({ comesIn }, index) => index < from || index >= to || (limits === "lines" && comesIn !== "lines"),
      );
      effects.endless.splice(0, Infinity, ...kept);
    },
  };
}

/** True if a loop reads until its input ends, or its condition looks at what its body sets. */
export function mayEnd({ clause, body }: While): boolean {
  const [condition] = collect([clause], (node) => (node.type === "Command" ? node.name?.value : undefined));
  if (condition === "read") return true;
  const asked = collect([clause], (node) => {
    if (node.type === "SimpleExpansion") return node.text.slice(1);
    return node.type === "ParameterExpansion" ? node.parameter : undefined;
  });
  const set = new Set(collect([body], (node) => (node.type === "Assignment" ? node.name : undefined)));
  return asked.some((name) => set.has(name));
}

/** A size as `dd`, `head` and `truncate` read it, in bytes; nothing where it is not known. */
export function readSize(argument: Argument | undefined): number | undefined {
  const found = /^[-+<>/%]?(\d{1,15})([cwbkKMGTPEZYRQ]?)(i?B)?$/.exec(textOf(argument) ?? "");
  if (found === null) return undefined;
  const [, digits = "", unit = "", suffix] = found;
  const power = "KMGTPEZYRQ".indexOf(unit.toUpperCase()) + 1;
  const factor = { "": 1, c: 1, w: 2, b: 512 }[unit] ?? (suffix === "B" ? 1_000 : 1_024) ** power;
  return Number(digits) * factor;
}

export function isSmall(bytes: number | undefined): boolean {
  return bytes !== undefined && bytes <= MAX_MADE_BYTES;
}

function collect(
  nodes: readonly SyntaxNode[],
  pick: (node: SyntaxNode) => string | undefined,
): readonly string[] {
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    const text = pick(node);
    if (text !== undefined) found.push(text);
    forEachChild(node, visit);
  };
  nodes.forEach(visit);
  return found;
}
