import type { BridgeCall } from "@deputy/codemode";
import { canonicalJson } from "@deputy/policy";
import type { Sha256 } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { inputHashOf, readInput } from "../gate/read-input.ts";
import type { RecordedCall } from "./recorded-cell.ts";

/**
 * Whether a program asks for what it asked for then. Of a call that never settled, only what the tool's
 * schema made of its input is known: then today's schema must give the same, or, as it may be another one
 * or gone, the recorded input must hold whatever the program says.
 */
export async function isSameCall(
  deps: { readonly catalogue: Catalogue; readonly sha256: Sha256 },
  recorded: RecordedCall,
  call: BridgeCall,
): Promise<boolean> {
  if (recorded.toolPath !== call.path) return false;
  if (recorded.askedJson !== undefined) return recorded.askedJson === call.inputJson;
  const input = await readInput(deps.catalogue.get(call.path), call.inputJson);
  if (inputHashOf(deps.sha256, input) === recorded.inputHash) return true;
  return holdsJson(recorded.input, (await readInput(undefined, call.inputJson)).json);
}

function holdsJson(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null)
    return canonicalJson(whole) === canonicalJson(part);
  if (Array.isArray(part) !== Array.isArray(whole)) return false;
  if (Array.isArray(part) && part.length !== (whole as readonly unknown[]).length) return false;
  return Object.entries(part).every(
    ([name, member]) =>
      Object.hasOwn(whole, name) && holdsJson((whole as Record<string, unknown>)[name], member),
  );
}
