import type { IncomingMessage } from "node:http";
import { throwIfAborted } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import { codingsOf, decodeBody } from "./decode-body.ts";

export interface AnswerOptions {
  readonly method: string;
  readonly url: URL;
  /** The limit for the body, decompressed. */
  readonly maxBytes: number;
  /** Aborted when the exchange is given up. */
  readonly signal: AbortSignal;
  /** True while the server is waited for. */
  readonly onWait: () => void;
  readonly onChunk: () => void;
  /** Called once: when everything was read, nothing more is needed, or it has failed. */
  readonly onEnd: (error?: unknown) => void;
  readonly toError: (cause: unknown) => unknown;
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer like that of `fetch`, with its body decompressed while it is read. Throws `response_invalid`. */
export function toResponse(answer: IncomingMessage, options: AnswerOptions): Response {
  const status = answer.statusCode ?? 0;
  try {
    if (status < 200 || status > 599)
      throw new ToolsError(
        "response_invalid",
        `${options.url.host} answers with the status ${status}, which is not a valid status`,
      );
    const headers = headersOf(answer);
    const codings = codingsOf(headers.get("content-encoding"));
    const hasBody = options.method !== "HEAD" && !WITHOUT_BODY.has(status);
    if (hasBody && codings.length > 0) {
      headers.delete("content-encoding");
      headers.delete("content-length");
    }
    const body = hasBody ? bodyOf(answer, codings, options) : null;
    if (!hasBody) {
      answer.destroy();
      options.onEnd();
    }
    const response = new Response(body, { status, statusText: answer.statusMessage ?? "", headers });
    // A response that is made by hand does not have its URL.
    return Object.defineProperty(response, "url", { value: options.url.href });
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}

function bodyOf(
  answer: IncomingMessage,
  codings: readonly string[],
  { url, maxBytes, signal, onWait, onChunk, onEnd, toError }: AnswerOptions,
): ReadableStream<Uint8Array> {
  const decoded = decodeBody(answer, codings);
  const chunks = decoded[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let bytes = 0;
  const close = (error?: unknown): void => {
    decoded.destroy();
    answer.destroy();
    onEnd(error);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          onWait();
          const { done, value } = await chunks.next();
          onChunk();
          // If the end of the connection marks the end of the body, an abort looks like a normal end.
          throwIfAborted(signal);
          if (done === true) {
            controller.close();
            close();
            return;
          }
          bytes += value.length;
          if (bytes > maxBytes)
            throw new ToolsError("response_too_large", `${url.host} sends more than ${maxBytes} bytes`);
          controller.enqueue(new Uint8Array(value));
        } catch (cause) {
          const error = toError(cause);
          close(error);
          throw error;
        }
      },
      cancel: () => close(),
    },
    { highWaterMark: 0 },
  );
}
