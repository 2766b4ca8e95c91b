/** A request that has passed the server's guard. */
export interface DemoRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** One of the services behind the demo's server. Whatever it throws is answered with 500 and its message. */
export type DemoService = (request: DemoRequest, signal: AbortSignal) => Promise<Response>;

export interface RouteRequest {
  /** A part of the path, decoded. */
  readonly part: (name: string) => string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The caller's key; a repeated request with it must have no second effect. */
  readonly key: string | undefined;
}

export interface DemoRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Such as `/issues/{number}`. */
  readonly path: string;
  readonly answer: (request: RouteRequest) => Response;
}

export function refuse(status: 400 | 404 | 409, message: string): Response {
  return Response.json({ message }, { status });
}

/** A service of plain routes, below a path. */
export function createRoutes(below: string, routes: readonly DemoRoute[]): DemoService {
  const known = routes.map((route) => ({ route, pattern: patternOf(below + route.path) }));
  return async ({ method, url, headers, body }) => {
    for (const { route, pattern } of known) {
      const found = route.method === method ? pattern.exec(url.pathname) : null;
      if (found === null) continue;
      const read = readJson(body);
      if (read.kind === "invalid") return refuse(400, "The body is not JSON");
      return route.answer({
        part: (name) => decodeURIComponent(found.groups?.[name] ?? ""),
        query: url.searchParams,
        body: read.value,
        key: headers.get("idempotency-key") ?? undefined,
      });
    }
    return refuse(404, `There is no ${method} ${url.pathname}`);
  };
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function readJson(
  text: string,
): { readonly kind: "ok"; readonly value: unknown } | { readonly kind: "invalid" } {
  if (text === "") return { kind: "ok", value: undefined };
  try {
    return { kind: "ok", value: JSON.parse(text) };
  } catch {
    return { kind: "invalid" };
  }
}
