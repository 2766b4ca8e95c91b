import { makeVisible, shorten } from "@deputy/kit";
import { ModelError, type ModelErrorCode } from "../model-error.ts";
import type { OutputRoom } from "./output-room.ts";
import type { Provider } from "./provider.ts";

/** A failure on a wire, before it is known how much of the answer had been passed on. */
export class WireFailure extends Error {
  readonly code: ModelErrorCode;
  readonly detail: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** The server's own output limit, if the request exceeded it. */
  readonly outputRoom: OutputRoom | undefined;

  /** `detail` is the provider's own words, or the problem with them; it may be empty. */
  constructor(
    code: ModelErrorCode,
    detail: string,
    options: {
      readonly cause?: unknown;
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly outputRoom?: OutputRoom;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.detail = detail;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.outputRoom = options.outputRoom;
  }
}

/** Longer words of a provider are shortened, because they are shown on a card or in a terminal. */
const LONGEST_DETAIL = 400;

/** What the user reads: what happened, what is safe, what to do. */
export function toModelError(failure: WireFailure, provider: Provider, output: "none" | "some"): ModelError {
  const { code, retryAfterMs } = failure;
  const { happened, todo } = describe(failure, provider);
  const safe = OTHERWISE_SAFE[`${code} ${output}`] ?? SAFE[output];
  const message = `${happened} ${safe} ${todo}`;
  return new ModelError(code, message, { cause: failure, retryAfterMs, output });
}

const OTHERWISE_SAFE: Readonly<Record<string, string>> = {
  "missing_key none": "Nothing was sent, and nothing ran.",
  "empty_answer some": "It had only reasoned, and nothing ran.",
};
const SAFE = {
  none: "Nothing of an answer had arrived, and nothing ran.",
  some: "Only a part of an answer had arrived, and nothing that it asks for ran.",
} as const;

interface Description {
  readonly happened: string;
  readonly todo: string;
}

function describe(failure: WireFailure, provider: Provider): Description {
  const { name, model, keyVariable, urlVariable, place } = provider;
  const said = quote(failure.detail);
  const status = failure.status === undefined ? "" : ` (${failure.status})`;
  switch (failure.code) {
    case "missing_key":
      return {
        happened: `There is no key for ${name}.`,
        todo: `Set ${keyVariable}, or name another model in DEPUTY_MODEL.`,
      };
    case "wrong_key":
      return {
        happened: `${name} refused the key${status}.`,
        todo:
          place === "here"
            ? `Set ${keyVariable} to the key that it takes, or start it without one.`
            : `Check ${keyVariable}, and what it may be used for.`,
      };
    case "unknown_model":
      return {
        happened: `${name} has no model “${model}” for you${status}${said}.`,
        todo: `Check the name in DEPUTY_MODEL, and ${urlVariable} if you set it.`,
      };
    case "no_credit":
      return {
        happened: `${name} does not answer because credit or a spend limit is used up${status}${said}.`,
        todo: "Raise it with the provider, or name another model in DEPUTY_MODEL.",
      };
    case "rate_limited":
      return { happened: `${name} limits how much may be asked${status}${said}.`, todo: wait(failure) };
    case "overloaded":
      return { happened: `${name} is overloaded or out of order${status}${said}.`, todo: wait(failure) };
    case "context_overflow":
      return {
        happened: `The conversation is longer than “${model}” can read.`,
        todo: "Start a new session, or use a model that reads more.",
      };
    case "output_limit":
      return {
        happened: `${name} does not let “${model}” write as much as it was allowed to${status}${said}.`,
        todo: "Set agent.outputTokens to less.",
      };
    case "content_filter":
      return {
        happened: `A filter of ${name} stopped this${said}.`,
        todo: "Say it differently, or leave out what it may have stumbled over.",
      };
    case "connection_failed":
      return {
        happened: `${name} cannot be reached at ${originOf(provider.baseUrl)}.`,
        todo:
          place === "here"
            ? `Start it, or set ${urlVariable} to where it listens.`
            : `Check the network, and ${urlVariable} if you set it.`,
      };
    case "stream_cut":
      return {
        happened: `The connection to ${name} broke before the answer was complete.`,
        todo: "Try again.",
      };
    case "timeout":
      return { happened: `${name} did not answer in time${said}.`, todo: "Try again." };
    case "garbage":
      return {
        happened: `${name} sent something that is not an answer${said}.`,
        todo: `Try again; if it stays so, check ${urlVariable} or use another model.`,
      };
    case "empty_answer":
      return {
        happened: `The model “${model}” ended its answer without having said anything.`,
        todo: "Try again; if it stays so, say it differently or use another model.",
      };
    default:
      return {
        happened: `${name} rejected the request${status}${said}.`,
        todo: "Use another model; if the words above do not explain it, report it as a bug.",
      };
  }
}

function quote(detail: string): string {
  const words = makeVisible(detail.replaceAll(/\s+/g, " ").trim()).replace(/\.$/, "");
  if (words === "") return "";
  return `: ${shorten(words, LONGEST_DETAIL)}`;
}

function wait({ retryAfterMs }: WireFailure): string {
  if (retryAfterMs === undefined) return "Try again later.";
  return `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
}

/** Without path and password. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "an invalid address";
}
