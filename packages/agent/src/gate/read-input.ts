import { canonicalJson } from "@deputy/policy/canonical-json";
import type { Sha256 } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";
import { DEEPEST_JSON, jsonSize } from "./json-size.ts";

/** A call's input: what the tool gets, and its plain JSON form, which is what is hashed, logged and shown. */
export type CallInput =
  | { readonly kind: "ok"; readonly value: unknown; readonly json: unknown }
  /** `code`: the tool's own, where it takes no input at all. */
  | {
      readonly kind: "invalid";
      readonly message: string;
      readonly code?: string | undefined;
      readonly json: unknown;
    };

/** Never rejects, even if a schema's own code throws. */
export async function readInput(tool: CatalogueTool | undefined, inputJson: string): Promise<CallInput> {
  if (jsonSize(inputJson).depth > DEEPEST_JSON) {
    return { kind: "invalid", message: `The input nests deeper than ${DEEPEST_JSON} levels.`, json: null };
  }
  const raw: unknown = JSON.parse(inputJson);
  if (tool === undefined) return { kind: "ok", value: raw, json: raw };
  try {
    const parsed = await tool.parseInput(raw);
    if (parsed.kind === "invalid") return { ...parsed, json: raw };
    return { kind: "ok", value: parsed.input, json: plainJson(parsed.input) ?? raw };
  } catch (error) {
    const message = error instanceof Error ? error.message : "The tool's schema refused it.";
    return { kind: "invalid", message, json: raw };
  }
}

/**
 * Dates become text, and so on; undefined for what JSON cannot hold, or would hold as something else: a
 * Set would be judged and shown as nothing.
 */
function plainJson(value: unknown): unknown {
  try {
    return isPlain(value) ? JSON.parse(JSON.stringify(value)) : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}

/** The hash by which approvals and the record identify an input. */
export function inputHashOf(sha256: Sha256, input: CallInput): string {
  return sha256(canonicalJson(input.json));
}
