import type { BridgeCall, CellImage, CellSpec, Sandbox, Settlement } from "@deputy/codemode";
import { type CallId, type Clock, createIdleTimer } from "@deputy/kit";
import type { Origins } from "@deputy/policy";
import type { GrantBinding, Label } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { bindingsOf } from "../approvals/approval-answer.ts";
import type { Question } from "../approvals/approval-question.ts";
import type { Foresee } from "./foresight.ts";
import type { Markers } from "./markers.ts";
import { placeholderFor } from "./placeholder.ts";
import { PLAN_LIMITS } from "./cell-plans.ts";

/** The calls that a program is going to make, as far as that is known now. */
export interface Ahead {
  readonly calls: readonly AheadCall[];
  /** Calls that would ask, but with what depends on results. */
  readonly unforeseen: number;
}

export interface AheadCall {
  readonly callId: CallId;
  readonly inputHash: string;
  readonly question: Question;
}

export interface Fork {
  readonly spec: Omit<CellSpec, "onCall" | "image">;
  readonly image: CellImage;
  /** Calls that the program has made: those of them that are open in the image get placeholders. */
  readonly made: number;
  readonly programHash: string;
  readonly labels: readonly Label[];
  readonly origins?: Origins | undefined;
  /** The questions that are asked already. */
  readonly asked: readonly Question[];
  readonly foresee: Foresee;
  /** The result of the very same read earlier in this program, as JSON. */
  readonly recorded: (toolPath: string, inputHash: string) => string | undefined;
  /** Takes a call that an earlier plan lists; false when no plan does. Each listed call is taken once. */
  readonly takePlanned: (toolPath: string, inputHash: string) => boolean;
  readonly markers: Markers;
  readonly nextCallId: () => CallId;
}

/**
 * Runs a fork of a waiting program on with placeholder results. Nothing outside of the fork is affected:
 * none of its calls is made, its log is dropped. Ends with the program, at a limit, or when `signal`
 * aborts; what was gathered by then is the answer. Never rejects.
 */
export async function runAhead(
  deps: { readonly sandbox: Sandbox; readonly catalogue: Catalogue; readonly clock: Clock },
  fork: Fork,
  signal: AbortSignal,
): Promise<Ahead> {
  const { markers, spec } = fork;
  const calls: AheadCall[] = [];
  const seen = new Map(fork.labels.map((label) => [`${label.trust} ${label.source}`, label]));
  const readSoFar = () => ({
    labels: [...seen.values()],
    origins: fork.origins && afterReading(fork.origins, seen.values()),
  });
  let read = readSoFar();
  const note = (source: string): void => {
    const key = `untrusted ${source}`;
    if (seen.has(key)) return;
    seen.set(key, { trust: "untrusted", source });
    read = readSoFar();
  };
  /** What one yes would allow from there on. */
  const granted = fork.asked.flatMap(grantedBy);
  /** How often which tools were called ahead. */
  const called = new Map<string, number>();
  const stop = new AbortController();
  let unforeseen = 0;
  let chars = 0;

  const placeholders = new Map<string, string>();
  const placeholder = (toolPath: string): Settlement => {
    const known = placeholders.get(toolPath);
    if (known !== undefined) return told(known);
    const json = JSON.stringify(placeholderFor(deps.catalogue.get(toolPath)?.outputSchema, markers));
    placeholders.set(toolPath, json);
    return told(json);
  };
  const told = (json: string): Settlement => ({ kind: "ok", json, atMs: deps.clock.now() });

  const list = async (inputHash: string, put: (callId: CallId) => Promise<Question>): Promise<void> => {
    const callId = fork.nextCallId();
    const question = await put(callId);
    granted.push(...grantedBy(question));
    chars += JSON.stringify([question.input, question.preview]).length;
    if (chars > PLAN_LIMITS.chars || calls.length >= PLAN_LIMITS.listed) {
      stop.abort();
      return;
    }
    calls.push({ callId, inputHash, question });
  };

  const answer = async ({ id, path, inputJson }: BridgeCall): Promise<Settlement> => {
    const toolPath = deps.catalogue.aliases[path] ?? path;
    if (id <= fork.made) return placeholder(toolPath);
    const isKnown = !markers.isIn(inputJson);
    const foreseen = await fork.foresee({
      toolPath,
      inputJson,
      programHash: fork.programHash,
      ...read,
      granted,
      called,
    });
    if (deps.catalogue.get(toolPath)?.trust !== "trusted") note(toolPath);
    // With the real values, what is refused may well be right.
    if (foreseen.kind !== "refused" || !isKnown) called.set(toolPath, (called.get(toolPath) ?? 0) + 1);
    if (foreseen.kind === "refused") {
      if (!isKnown) return placeholder(toolPath);
      return { kind: "error", code: foreseen.code, message: foreseen.message, atMs: deps.clock.now() };
    }
    const { tool, inputHash } = foreseen;
    if (foreseen.kind === "asks") {
      if (!isKnown) unforeseen += 1;
      else if (!fork.takePlanned(toolPath, inputHash)) await list(inputHash, foreseen.put);
    }
    const recorded = tool.effect === "read" ? fork.recorded(toolPath, inputHash) : undefined;
    return recorded === undefined ? placeholder(toolPath) : told(recorded);
  };

  /** One after the other, in the order of the calls: what one is foreseen to do counts for the next. */
  let answering = Promise.resolve();
  const over = new AbortController();
  const lull = createIdleTimer({ clock: deps.clock, idleMs: PLAN_LIMITS.lullMs, onIdle: () => stop.abort() });
  deps.clock.sleep(PLAN_LIMITS.wallMs, over.signal).then(
    () => stop.abort(),
    () => undefined,
  );
  const maxCalls = Math.min(spec.limits.maxCalls, fork.made + PLAN_LIMITS.calls);
  const cell = deps.sandbox.start(
    {
      ...spec,
      image: fork.image,
      limits: { ...spec.limits, maxCalls },
      onCall: (call) => {
        answering = answering.then(async () => {
          lull.stop();
          if (stop.signal.aborted) return;
          cell.settle(call.id, await answer(call));
          lull.restart();
        });
      },
    },
    AbortSignal.any([signal, stop.signal]),
  );
  await cell.outcome;
  await answering;
  lull.stop();
  over.abort();
  return { calls, unforeseen };
}

/** The origins after the calls ahead have been read. Their results are unknown, so any value may come from them. */
function afterReading(origins: Origins, labels: Iterable<Label>): Origins {
  const read = [...labels].flatMap(({ trust, source }) => (trust === "untrusted" ? [source] : []));
  return { ...origins, untrusted: [...new Set([...origins.untrusted, ...read])] };
}

function grantedBy(question: Question): readonly GrantBinding[] {
  return question.scope === undefined ? [] : bindingsOf(question, question.scope, question.input);
}
