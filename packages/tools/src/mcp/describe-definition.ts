import { unifiedDiff } from "@deputy/kit";
import type { McpDefinition } from "./definition.ts";
import { showHidden } from "./show-hidden.ts";
import { hiddenIn, labelsOf } from "./tool-labels.ts";

/** A tool as somebody should see it who decides whether to have it: all of it, with nothing hidden. */
export function describeDefinition(definition: McpDefinition): string {
  const { effect, approval, presumed } = labelsOf(definition);
  const asks =
    approval === "required" ? "asks before every call" : "asks only where values come from strangers";
  const head = `${showHidden(definition.name)}  (${effect}, ${asks})`;
  const notes = presumed === undefined ? [] : [`  ! ${presumed}`];
  return [head, ...notes, ...linesOf(definition).map((line) => `    ${line}`)].join("\n");
}

/** What has become different, line by line, with nothing hidden. */
export function diffDefinitions(before: McpDefinition, after: McpDefinition): string {
  const text = (definition: McpDefinition): string => `${linesOf(definition).join("\n")}\n`;
  const diff = unifiedDiff({ path: showHidden(before.name), before: text(before), after: text(after) });
  const hidden = hiddenIn(after);
  return hidden === undefined ? diff : `${diff.trimEnd()}\n! ${hidden}`;
}

function linesOf({ description = "", ...rest }: McpDefinition): readonly string[] {
  const text = showHidden(description).split("\n");
  const { name: _, ...fields } = rest;
  return [...text, ...showHidden(JSON.stringify(fields, null, 2)).split("\n")];
}
