import { unifiedDiff } from "@deputy/kit";
import type { McpDefinition } from "./definition.ts";
import { showHidden } from "./show-hidden.ts";
import { lookAlikesIn, showName } from "./show-look-alikes.ts";
import { hiddenIn, labelsOf } from "./tool-labels.ts";

/** A tool as somebody should see it who decides whether to have it: all of it, with nothing hidden. */
export function describeDefinition(definition: McpDefinition): string {
  const { effect, approval, presumed } = labelsOf(definition);
  const asks =
    approval === "required" ? "asks before every call" : "asks only where values come from strangers";
  const head = `${showName(definition.name)}  (${effect}, ${asks})`;
  const notes = [...(presumed === undefined ? [] : [presumed]), ...lookAlikesIn(definition)];
  return [
    head,
    ...notes.map((note) => `  ! ${note}`),
    ...linesOf(definition).map((line) => `    ${line}`),
  ].join("\n");
}

/** What has become different, line by line, with nothing hidden. */
export function diffDefinitions(before: McpDefinition, after: McpDefinition): string {
  const text = (definition: McpDefinition): string => `${linesOf(definition).join("\n")}\n`;
  const diff = unifiedDiff({ path: showName(before.name), before: text(before), after: text(after) });
  const hidden = hiddenIn(after);
  const notes = [...(hidden === undefined ? [] : [hidden]), ...lookAlikesIn(after)];
  return notes.length === 0 ? diff : [diff.trimEnd(), ...notes.map((note) => `! ${note}`)].join("\n");
}

function linesOf({ description = "", ...rest }: McpDefinition): readonly string[] {
  const text = showHidden(description).split("\n");
  const { name: _, ...fields } = rest;
  return [...text, ...showHidden(JSON.stringify(fields, null, 2)).split("\n")];
}
