import { parseJson, throwIfAborted } from "@deputy/kit";
import type { Push } from "@deputy/protocol";
import { pushSchema } from "@deputy/protocol/wire";
import {
  authAnswerSchema,
  rpcAnswerSchema,
  type RpcError,
  type RpcMethodName,
  rpcMethods,
  type RpcParams,
  type RpcResult,
} from "@deputy/protocol/rpc";
import { ClientError } from "./client-error.ts";
import { untilStopped } from "@deputy/kit";
import { refusalOf } from "./daemon-refusal.ts";

/** One signed-in connection to the daemon's `/ws`. */
export interface RpcSocket extends Disposable {
  /**
   * Throws `daemon_refused` with the daemon's message, or `daemon_gone` when the connection ends first: then it is
   * unknown whether it was done. An abort rejects with the signal's reason.
   */
  call<Name extends RpcMethodName>(
    method: Name,
    params: RpcParams<Name>,
    signal: AbortSignal,
  ): Promise<RpcResult<Name>>;
  /** Resolves when either side has ended the connection. */
  readonly closed: Promise<void>;
}

type Answer = (frame: unknown) => void;

const SIGN_IN_MS = 10_000;
/** The daemon's close codes that mean: connecting again with the same token is useless. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [4401, "The daemon does not accept the token"],
  [4429, "The daemon has had too many wrong tokens from here; try again in a minute"],
]);

/**
 * Connects and signs in. Throws `daemon_gone` when nothing answers there, `daemon_refused` for a token that is not
 * the current one. Calls `onPush` with messages that were not requested; kinds from a newer daemon are skipped.
 */
export async function openRpcSocket(
  options: { readonly url: string; readonly token: string; readonly onPush: (push: Push) => void },
  signal: AbortSignal,
): Promise<RpcSocket> {
  throwIfAborted(signal);
  // No Origin and no headers of ours: the first frame signs in.
  const ws = new WebSocket(new URL("/ws", options.url.replace(/^http/, "ws")));
  const answers = new Map<number, Answer>();
  const ended = Promise.withResolvers<void>();
  const signedIn = Promise.withResolvers<void>();
  signedIn.promise.catch(() => undefined);
  let calls = 0;
  let isOver = false;
  let isSignedIn = false;

  const receive = (text: string): void => {
    const frame = parseJson(text);
    const id = typeof frame === "object" && frame !== null && "id" in frame ? frame.id : undefined;
    if (typeof id === "number") return answers.get(id)?.(frame);
    if (!isSignedIn && authAnswerSchema.safeParse(frame).success) {
      isSignedIn = true;
      return signedIn.resolve();
    }
    const push = pushSchema.safeParse(frame);
    if (push.success) options.onPush(push.data);
  };
  const over = ({ code }: { readonly code: number }): void => {
    isOver = true;
    const refusal = REFUSALS.get(code);
    signedIn.reject(
      refusal === undefined
        ? lost()
        : new ClientError("daemon_refused", refusal, { hint: "`deputy token` prints the current one." }),
    );
    for (const answer of answers.values()) answer(undefined);
    ended.resolve();
  };
  ws.addEventListener("open", () => ws.send(JSON.stringify({ type: "auth", token: options.token })));
  ws.addEventListener("message", ({ data }) => void (typeof data === "string" && receive(data)));
  // The close event that follows says all that is known.
  ws.addEventListener("error", () => undefined);
  ws.addEventListener("close", over);
  try {
    await untilStopped(signedIn.promise, AbortSignal.any([signal, AbortSignal.timeout(SIGN_IN_MS)]));
  } catch (error) {
    ws.close();
    if (signal.aborted || error instanceof ClientError) throw error;
    throw lost();
  }

  return {
    closed: ended.promise,
    async call(method, params, callSignal) {
      if (isOver) throw lost();
      const id = ++calls;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      answers.set(id, resolve);
      try {
        ws.send(JSON.stringify({ id, method, params }));
        return readAnswer(method, await untilStopped(promise, callSignal));
      } finally {
        answers.delete(id);
      }
    },
    [Symbol.dispose]: () => ws.close(),
  };
}

function readAnswer<Name extends RpcMethodName>(method: Name, frame: unknown): RpcResult<Name> {
  if (frame === undefined) throw lost();
  const answer = rpcAnswerSchema.safeParse(frame).data;
  if (answer !== undefined && "error" in answer) throw refused(answer.error);
  const result = rpcMethods[method].result.safeParse(answer?.result);
  if (result.success) return result.data as RpcResult<Name>;
  throw new ClientError("daemon_refused", "The daemon gave an answer that this command does not understand", {
    cause: result.error,
    hint: "It may be another version. Stop it and start it again.",
  });
}

/** Expected answers have their own code here; others are handled as over HTTP. */
function refused({ message, data }: RpcError): Error {
  const { code } = data;
  if (code === "not_found") return new ClientError("not_found", message);
  if (DECIDED.has(code)) return new ClientError("already_decided", message);
  return refusalOf({ title: message, ...data }, 400);
}

const DECIDED: ReadonlySet<string> = new Set(["approval_already_resolved", "approval_expired"]);

function lost(): ClientError {
  return new ClientError("daemon_gone", "The connection to the daemon has ended", {
    hint: "`deputy serve` starts it again.",
  });
}
