import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeVisit {
  readonly event: string;
  readonly person: string;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface PostHogCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Some of PostHog's private API for one project, 17, on this machine. */
export interface FakePostHog extends AsyncDisposable {
  readonly origin: string;
  readonly calls: readonly PostHogCall[];
  /** Replaces the next answer. */
  answerNext(answer: Answer): void;
}

const PROJECT = 17;
const problem = (status: number, type: string, detail: string): Answer => ({
  status,
  body: { type, code: type, detail, attr: null },
});
const KEYS: ReadonlySet<string> = new Set(["kind", "query", "values"]);

/**
 * As strict as the real one, and stricter: a wrong key is 401, a field that is not documented or a placeholder without
 * a value 400. It knows the queries that our plugin makes, and `select 1`.
 */
export async function openFakePostHog(options: {
  readonly key: string;
  readonly visits: readonly FakeVisit[];
}): Promise<FakePostHog> {
  const calls: PostHogCall[] = [];
  const forced: Answer[] = [];

  const answer = ({ headers, method, path, body }: PostHogCall): Answer => {
    if (headers.authorization !== `Bearer ${options.key}`)
      return problem(401, "authentication_error", "Invalid personal API key.");
    if (path === "/api/projects/?limit=100" && method === "GET")
      return { status: 200, body: { count: 1, next: null, results: [{ id: PROJECT, name: "My site" }] } };
    const [, project] = /^\/api\/projects\/([^/]+)\/query\/$/.exec(path) ?? [];
    if (project !== String(PROJECT) && project !== "@current")
      return problem(404, "invalid_request", "Not found.");
    if (method !== "POST") return problem(405, "invalid_request", `Method "${method}" not allowed.`);
    return select(body, options.visits);
  };

  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void readJson(incoming).then((body) => {
      const call = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body,
      };
      calls.push(call);
      const { status, body: told } = forced.shift() ?? answer(call);
      outgoing.writeHead(status, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(told));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answerNext: (next) => void forced.push(next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function select(body: unknown, visits: readonly FakeVisit[]): Answer {
  const { query: asked, ...others } = (body ?? {}) as { query?: Record<string, unknown> };
  if (asked?.["kind"] !== "HogQLQuery" || typeof asked["query"] !== "string")
    return problem(400, "validation_error", "This is no HogQLQuery");
  const unknown = [...Object.keys(others), ...Object.keys(asked).filter((key) => !KEYS.has(key))];
  if (unknown.length > 0) return problem(400, "validation_error", `Extra inputs: ${unknown.join(", ")}`);
  const text = asked["query"];
  const values = (asked["values"] ?? {}) as Record<string, string>;
  for (const [, name = ""] of text.matchAll(/\{(\w+)\}/g))
    if (!Object.hasOwn(values, name)) return problem(400, "query_error", `Unresolved placeholder: {${name}}`);
  const rows = rowsOf(
    text,
    visits.filter((visit) => fits(visit, text, values)),
  );
  if (rows === undefined) return problem(400, "query_error", `Syntax error in ${text}`);
  return {
    status: 200,
    body: { columns: rows[0]?.map((_, at) => `column_${at}`) ?? [], results: rows, hasMore: false },
  };
}

function fits(
  { event, host, at }: FakeVisit,
  text: string,
  values: Readonly<Record<string, string>>,
): boolean {
  const moment = at.slice(0, 19).replace("T", " ");
  return (
    (!text.includes("event = '$pageview'") || event === "$pageview") &&
    (!text.includes("event = {event}") || event === values["event"]) &&
    (!text.includes("timestamp >= toDateTime({since}, 'UTC')") || moment >= (values["since"] ?? "")) &&
    (!text.includes("timestamp < toDateTime({until}, 'UTC')") || moment < (values["until"] ?? "")) &&
    (!text.includes("properties.$host = {host}") || host === values["host"])
  );
}

function rowsOf(text: string, visits: readonly FakeVisit[]): readonly (readonly unknown[])[] | undefined {
  if (/^select 1\b/.test(text)) return [[1], [1], [1]];
  if (text.startsWith("select count(distinct person_id) from events where "))
    return [[new Set(visits.map(({ person }) => person)).size]];
  if (text.startsWith("select count() from events where ")) return [[visits.length]];
  if (!text.startsWith("select event, count() from events where ")) return undefined;
  const byEvent = Map.groupBy(visits, ({ event }) => event);
  return [...byEvent].map(([event, some]) => [event, some.length] as const).toSorted((a, b) => b[1] - a[1]);
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}
