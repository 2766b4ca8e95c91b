import { makeVisible, shorten } from "@deputy/kit";
import { AnsweredError } from "@deputy/tools";
import type { ToolsErrorCode } from "@deputy/tools";

const MAX_BODY_CHARS = 2_000;

/** The server answered with a refusal. */
export class HttpError extends AnsweredError {
  declare readonly status: number;

  /** `body` is parsed if it is JSON, otherwise text. */
  constructor(status: number, statusText: string, body: unknown, host: string) {
    const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
    const cut = shorten(text, MAX_BODY_CHARS);
    const words = cut.trim() === "" ? "" : `: ${makeVisible(cut.trim())}`;
    const said = `${host} answered ${`${status} ${makeVisible(statusText)}`.trim()}${words}`;
    super(codeOf(status), said, { status, body });
  }
}

const CODES: Readonly<Record<number, ToolsErrorCode>> = {
  400: "http_bad_request",
  401: "http_unauthorized",
  403: "http_forbidden",
  404: "http_not_found",
  409: "http_conflict",
  410: "http_not_found",
  412: "http_conflict",
  422: "http_bad_request",
  429: "http_rate_limited",
};

function codeOf(status: number): ToolsErrorCode {
  return CODES[status] ?? (status >= 500 ? "http_server_error" : "http_client_error");
}
