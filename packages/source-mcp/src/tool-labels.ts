import { findLookAlikes } from "@deputy/kit";
import type { InferredLabels, ToolHints } from "@deputy/policy";
import { inferLabels } from "@deputy/policy/infer-labels";
import type { McpDefinition } from "./definition.ts";
import { showHidden } from "./show-hidden.ts";

export interface McpLabels extends InferredLabels {
  /** Why they are stricter than its name and description suggest. */
  readonly presumed?: string;
}

/** Characters that editors leave behind; they hide nothing. */
const HARMLESS = /[\u00a0\u202f\u2009\r]/g;

/** The parts of a definition that its reader cannot see, or could misread; undefined if there are none. */
export function hiddenIn({ name, ...rest }: McpDefinition): string | undefined {
  const [shown] = findLookAlikes(name, 1);
  if (shown !== undefined) return "its name has letters that look like others";
  const isHidden = [name, ...textsOf(rest)].some((text) => {
    const plain = text.replace(HARMLESS, " ");
    return showHidden(plain) !== plain;
  });
  return isHidden ? "there is hidden text in what it says of itself" : undefined;
}

/**
 * What a tool may do without asking, by its name and description. A server's hints count only when they make it
 * stricter. A tool that hides something is assumed to write, and asks.
 */
export function labelsOf(definition: McpDefinition): McpLabels {
  const { name, description, inputSchema, annotations = {} } = definition;
  const hint = (key: keyof ToolHints): boolean | undefined => {
    const value = annotations[key];
    return typeof value === "boolean" ? value : undefined;
  };
  const labels = inferLabels({
    path: name,
    description,
    inputSchema,
    annotations: {
      readOnlyHint: hint("readOnlyHint"),
      destructiveHint: hint("destructiveHint"),
      openWorldHint: hint("openWorldHint"),
    },
  });
  const hidden = hiddenIn(definition);
  if (hidden === undefined) return labels;
  const effect = labels.effect === "read" ? "write" : labels.effect;
  return {
    effect,
    approval: "required",
    critical: "all",
    presumed: `It asks before every call, as ${hidden}.`,
  };
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsOf)];
}
