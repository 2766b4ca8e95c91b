import { type Clock, CodedError } from "@deputy/kit";
import {
  AnsweredError,
  type CatalogueTool,
  JsonResult,
  LARGEST_RESULT_CHARS,
  type ToolContext,
  ToolsError,
} from "@deputy/tools";
import { DEEPEST_JSON, jsonSize } from "./json-size.ts";
import { pauseForLarge } from "./json-size.ts";
import { type CallEnd, failed, unknownEnd } from "./receipt.ts";
import { throwIfSuspended } from "../turn/stop-request.ts";

/** Checking more values than this takes too long, and programs cannot read values that are nested deeper. */
const MOST_RESULT_VALUES = 1_000_000;

const DEEPEST_RESULT = 1_000;

/** The body of a refusal says why the call failed, so it is kept with the error. */
const LARGEST_ERROR_CHARS = 64 * 1024;

/** How long a tool may take to stop. After that, Deputy no longer waits for it. */
const STOP_GRACE_MS = 5_000;

const SILENT = "The tool failed without a message.";

/** Made once: an abort without a reason makes an error with its stack each time. */
const ENDED = new Error("The tool has ended.");

/**
 * Runs a tool that may run and says how it ended. Never waits for a tool that will not stop; rejects
 * only with a `SuspendRequest`, when the tool did not end in time.
 */
export async function runTool(
  clock: Clock,
  tool: CatalogueTool,
  input: unknown,
  context: ToolContext,
): Promise<CallEnd> {
  const ended = new AbortController();
  const timeout = new AbortController();
  const { timeoutMs } = tool.limits;
  if (timeoutMs !== undefined) {
    clock.sleep(timeoutMs, ended.signal).then(
      () => timeout.abort(new Error(`It took longer than ${timeoutMs} ms.`)),
      () => undefined,
    );
  }
  const signal = AbortSignal.any([context.signal, timeout.signal]);
  const ran = (async () => await tool.run(input, { ...context, signal }))();
  ran.catch(() => undefined); // It may fail long after it was given up.
  try {
    return await toEnd(await Promise.race([ran, givenUp(clock, signal, ended.signal)]), tool);
  } catch (error) {
    throwIfSuspended(context.signal);
    if (timeout.signal.aborted && !context.signal.aborted) return tooLate(tool, timeoutMs ?? 0);
    // The call was running when it was stopped, so it is unknown whether it took effect.
    if (signal.aborted && tool.effect !== "read") {
      return unknownEnd("Stopped while running; its outcome is unknown.");
    }
    return describe(error, input, tool);
  } finally {
    ended.abort(ENDED);
  }
}

function isOutcomeUnknown(error: unknown): error is ToolsError {
  return error instanceof ToolsError && error.code === "outcome_unknown";
}

/** Rejects a while after `signal` aborts; never settles otherwise. */
function givenUp(clock: Clock, signal: AbortSignal, ended: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const wait = (): void => {
      clock.sleep(STOP_GRACE_MS, ended).then(
        () => reject(new Error("It did not stop when it was told to.")),
        () => undefined,
      );
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true, signal: ended });
  });
}

function tooLate(tool: CatalogueTool, timeoutMs: number): CallEnd {
  const message = `It took longer than ${timeoutMs} ms and was stopped`;
  return tool.effect === "read"
    ? failed("tool_timeout", `${message}.`)
    : unknownEnd(`${message}; its outcome is unknown.`);
}

async function toEnd(value: unknown, { limits }: CatalogueTool): Promise<CallEnd> {
  const { text: resultJson, chars } = value instanceof JsonResult ? value : toJson(value);
  const most = Math.min(limits.resultChars ?? LARGEST_RESULT_CHARS, LARGEST_RESULT_CHARS);
  if (chars > most) return tooLarge(chars, "characters", most);
  if (resultJson === undefined) return failed("tool_failed", "The tool's result has no JSON form.");
  await pauseForLarge(resultJson);
  const { values, depth } = jsonSize(resultJson);
  if (values > MOST_RESULT_VALUES) return tooLarge(values, "values", MOST_RESULT_VALUES);
  if (depth > DEEPEST_RESULT) return tooLarge(depth, "levels", DEEPEST_RESULT);
  return { status: "succeeded", resultJson };
}

function toJson(value: unknown): JsonResult {
  const text: string | undefined = JSON.stringify(value ?? null);
  return new JsonResult(text, text?.length ?? 0);
}

function tooLarge(count: number, what: "characters" | "values" | "levels", most: number): CallEnd {
  return failed(
    "result_too_large",
    `It ran, but its result has ${count} ${what}, and at most ${most} can be taken. Ask for less: for a page, for fewer fields, or with a filter.`,
  );
}

function describe(error: unknown, input: unknown, { effect }: Pick<CatalogueTool, "effect">): CallEnd {
  try {
    const isUnknown = isOutcomeUnknown(error) && effect !== "read";
    const end = isUnknown ? unknownEnd(error.message) : endOf(error);
    return isOwnWords(error, input) ? end : { ...end, isToolError: true };
  } catch {
    // Reading the thrown value throws, for example because its message is a getter that does.
    return { ...failed("tool_failed", SILENT), isToolError: true };
  }
}

/** Undefined for nothing, and for what is too much, or no JSON. */
function bodyJsonOf(body: unknown): string | undefined {
  if (body === undefined || body === "") return undefined;
  try {
    const json: string | undefined = JSON.stringify(body);
    if (json === undefined || json.length > LARGEST_ERROR_CHARS) return undefined;
    return jsonSize(json).depth > DEEPEST_JSON ? undefined : json;
  } catch {
    return undefined;
  }
}

function endOf(error: unknown): CallEnd {
  if (error instanceof AnsweredError) {
    const { code, message, hint, status, body } = error;
    return { status: "failed", error: { code, message, hint, status, bodyJson: bodyJsonOf(body) } };
  }
  if (error instanceof CodedError)
    return {
      status: "failed",
      error: { code: String(error.code), message: error.message, hint: error.hint },
    };
  const said: unknown = error instanceof Error ? error.message : error;
  return failed("tool_failed", typeof said === "string" ? said : SILENT);
}

/**
 * True when Deputy worded the whole error itself, apart from words of the call's own input. Then the error carries no
 * words of others. For any other error that is unknown.
 */
function isOwnWords(error: unknown, input: unknown): boolean {
  if (!(error instanceof ToolsError) || error.quotes === undefined) return false;
  if (error.quotes.length === 0) return true;
  const said = textOf(input);
  return error.quotes.every((quote) => said.includes(textOf(quote).slice(1, -1)));
}

/** Hosts are compared as what they are: in any case. Nothing for what has no JSON form. */
function textOf(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? "").toLowerCase();
  } catch {
    return "";
  }
}
