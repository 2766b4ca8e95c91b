import { ToolsError, type ToolsErrorCode } from "@deputy/tools";
import type { z } from "zod";

export interface GitHubRequest {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly token: string;
}

const DEFAULT_API = "https://api.github.com";
const MESSAGE_CHARS = 300;

/**
 * One request to GitHub, or to what `GITHUB_API_URL` names (GitHub Enterprise). Rejects with a `ToolsError` whose
 * code tells what kind of refusal it is. A redirect is an error: the token goes nowhere else.
 */
export async function askGitHub<Schema extends z.ZodType>(
  request: GitHubRequest,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const { method = "GET", path, query = {}, body, token } = request;
  const url = new URL((process.env["GITHUB_API_URL"] ?? DEFAULT_API).replace(/\/$/, "") + path);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const headers: Record<string, string> = {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": "deputy-example-plugin",
    authorization: `Bearer ${token}`,
  };
  if (body !== undefined) headers["content-type"] = "application/json";
  const init = { method, headers, signal, redirect: "error" as const };
  const response = await fetch(
    url,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  ).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    const unsure = method === "GET" ? "" : "; whether it was done is not known";
    throw new ToolsError("http_unreachable", `GitHub cannot be reached${unsure}`, { cause });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ToolsError(codeOf(response), describe(response, answer));
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ToolsError("response_invalid", "GitHub answered with something else than it documents", {
    cause: parsed.error,
  });
}

function codeOf({ status, headers }: Response): ToolsErrorCode {
  if (status === 429 || (status === 403 && headers.get("x-ratelimit-remaining") === "0"))
    return "http_rate_limited";
  const codes: Readonly<Record<number, ToolsErrorCode>> = {
    401: "http_unauthorized",
    403: "http_forbidden",
    404: "http_not_found",
    410: "http_not_found",
    409: "http_conflict",
    400: "http_bad_request",
    422: "http_bad_request",
  };
  return codes[status] ?? (status >= 500 ? "http_server_error" : "http_client_error");
}

function describe({ status }: Response, answer: unknown): string {
  const said =
    typeof answer === "object" && answer !== null && "message" in answer ? String(answer.message) : "";
  return `GitHub refused it (${status})${said === "" ? "" : `: ${said.slice(0, MESSAGE_CHARS)}`}`;
}
