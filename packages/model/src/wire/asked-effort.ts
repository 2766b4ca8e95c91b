import { ModelError } from "../model-error.ts";
import { type Effort, efforts, type ModelEvent, type ModelRequest } from "../model.ts";
import { WireFailure } from "./failure.ts";

type Ask = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/**
 * Repeats a request that was rejected for its effort: with the nearest one that the server names, or else without any.
 * What the model takes is remembered.
 */
export function createAskedEffort(
  ask: Ask,
): (request: ModelRequest, signal: AbortSignal) => AsyncGenerator<ModelEvent> {
  const taken = new Map<Effort, Effort | "left_out">();
  const withTaken = ({ effort, ...request }: ModelRequest): ModelRequest => {
    const known = effort === undefined ? "left_out" : (taken.get(effort) ?? effort);
    return known === "left_out" ? request : { ...request, effort: known };
  };
  return async function* askWithEffort(request, signal) {
    const { effort } = request;
    try {
      yield* ask(withTaken(request), signal);
      return;
    } catch (error) {
      const words = complaintIn(error);
      if (effort === undefined || taken.has(effort) || words === undefined) throw error;
      taken.set(effort, nearestNamed(words, effort));
    }
    yield* ask(withTaken(request), signal);
  };
}

/**
 * OpenAI: “Unsupported value: 'minimal' is not supported with the 'gpt-…' model. Supported values are: 'none', 'low',
 * …”, “Unsupported parameter: 'reasoning.effort' is not supported with this model.” Anthropic: “This model does not
 * support the effort parameter.” Ollama: “"…" does not support thinking”.
 */
const ABOUT_EFFORT = /effort|thinking|reasoning|supported values are: '(?:none|minimal|low)/i;

/** What the server said, if it rejected the request for its effort. */
function complaintIn(error: unknown): string | undefined {
  if (!(error instanceof ModelError) || error.code !== "bad_request" || error.output === "some")
    return undefined;
  const words = error.cause instanceof WireFailure ? error.cause.detail : "";
  return ABOUT_EFFORT.test(words) ? words : undefined;
}

function nearestNamed(words: string, effort: Effort): Effort | "left_out" {
  const [, listed = ""] = /(?:supported values are|should be):? (.*)/i.exec(words) ?? [];
  const named = efforts.filter((level) => level !== effort && listed.includes(`'${level}'`));
  const distance = (level: Effort): number => Math.abs(efforts.indexOf(level) - efforts.indexOf(effort));
  return named.toSorted((a, b) => distance(a) - distance(b))[0] ?? "left_out";
}
