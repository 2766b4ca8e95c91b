import {
  type RunContext,
  type ToolDefinition,
  ToolsError,
  type ToolsErrorCode,
} from "@deputy/tools/plugin-api";
import type { z } from "zod";

/** How a plugin of this package reaches its service. */
export interface ServiceOptions {
  /** The service's address, if it is not the public one: GitHub Enterprise, a PostHog of one's own. */
  readonly baseUrl?: string | undefined;
  /** The token, for programs that embed Deputy. Absent: the credential of that name in the settings. */
  readonly token?: (() => string | Promise<string>) | undefined;
}

interface Service {
  readonly name: string;
  /** The name of its credential in the settings. */
  readonly credential: string;
  /** What the credential is, for who sets it. */
  readonly what: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServiceRequest {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** True if it changes nothing, whatever its method. */
  readonly isRead?: boolean;
}

const MESSAGE_CHARS = 300;

/**
 * Requests to one service, and what its tools declare for them. A request rejects with a `ToolsError` whose code says
 * what kind of refusal it is. A redirect is an error, so that the token goes nowhere else.
 */
export function openService(service: Service, options: ServiceOptions) {
  const { name, credential } = service;
  const base = (options.baseUrl ?? service.baseUrl).replace(/\/+$/, "");
  const needed: Pick<ToolDefinition<z.ZodType, z.ZodType>, "credentials"> = options.token === undefined
    ? { credentials: { [credential]: service.what } }
    : {};
  const tokenFor = async (context: RunContext): Promise<string> =>
    options.token === undefined ? await context.credentials.get(credential) : await options.token();

  async function ask<Schema extends z.ZodType>(
    request: ServiceRequest,
    schema: Schema,
    context: RunContext,
  ): Promise<z.output<Schema>> {
    const { method = "GET", path, query = {}, body, isRead = method === "GET" } = request;
    const url = new URL(base + path);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const { signal } = context;
    const response = await fetch(url, {
      method,
      signal,
      redirect: "error",
      headers: {
        accept: "application/json",
        ...service.headers,
        "user-agent": "deputy",
        authorization: `Bearer ${await tokenFor(context)}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      const unsure = isRead ? "" : "; whether it was done is not known";
      throw new ToolsError("http_unreachable", `${name} cannot be reached${unsure}`, { cause });
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw new ToolsError(codeOf(response), describe(name, response, answer));
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new ToolsError("response_invalid", `${name} answered with something else than it documents`, {
      cause: parsed.error,
    });
  }
  return { ask, needed };
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

/** GitHub says why in `message`, PostHog in `detail`. */
function describe(name: string, { status }: Response, answer: unknown): string {
  const told = typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : {};
  const said = [told["message"], told["detail"]].find(
    (one): one is string => typeof one === "string" && one !== "",
  );
  return `${name} refused it (${status})${said === undefined ? "" : `: ${said.slice(0, MESSAGE_CHARS)}`}`;
}
