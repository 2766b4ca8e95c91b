import { formatModelRef } from "../model-ref.ts";
import type { ModelRef } from "../model.ts";

/** By `provider/model`; what the user says goes before what is known of names. */
export type Vision = Readonly<Record<string, boolean>>;

/** True if a model of this name can see pictures. A server that then rejects them corrects it. */
export function canSee(ref: ModelRef, vision: Vision = {}): boolean {
  const name = formatModelRef(ref);
  if (Object.hasOwn(vision, name)) return vision[name] === true;
  if (ref.provider === "rehearsal") return false;
  if (ref.provider === "anthropic") return true;
  return ref.provider === "openai" ? !BLIND_GPT.test(ref.model) : SEEING.test(ref.model);
}

const BLIND_GPT = /^(?:gpt-3|gpt-4(?:$|-\d{4}$|-0|-32k)|o1-(?:mini|preview)|o3-mini|codex-mini|gpt-.*audio)/;

/** Models that many servers have: most cannot see, and those that can mostly say so. */
const SEEING =
  /llava|vision|pixtral|moondream|minicpm-?v|gemma-?[34]|llama-?4|mistral-small-?3|(?:^|[-_\d])vl(?:[-_:.\d]|$)|claude-|gemini-|gpt-(?:4o|4\.1|[5-9])/i;
