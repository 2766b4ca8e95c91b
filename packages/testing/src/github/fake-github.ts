import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly isPull?: boolean;
  state?: "open" | "closed";
  state_reason?: string | null;
  body?: string;
  labels?: readonly string[];
}

export interface GitHubCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Some of GitHub's REST API for one repository, `acme/demo`, on this machine. */
export interface FakeGitHub extends AsyncDisposable {
  readonly origin: string;
  readonly calls: readonly GitHubCall[];
  readonly issues: readonly FakeIssue[];
  readonly comments: readonly { readonly number: number; readonly body: string }[];
  /** Replaces the next answer. */
  answerNext(answer: GitHubAnswer): void;
}

export interface GitHubAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const refuse = (status: number, message: string): GitHubAnswer => ({ status, body: { message } });
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  issues: ["state", "per_page", "page", "labels"],
  pulls: ["state", "per_page", "page"],
  search: ["q", "per_page", "page"],
};

/**
 * As strict as the real one, and stricter: a wrong token is 401, no user agent 403, and a parameter, header or field
 * that is not documented 422.
 */
export async function openFakeGitHub(options: {
  readonly token: string;
  readonly issues: readonly FakeIssue[];
}): Promise<FakeGitHub> {
  const issues = options.issues.map((issue) => ({ ...issue }));
  const calls: GitHubCall[] = [];
  const comments: { number: number; body: string }[] = [];
  const forced: GitHubAnswer[] = [];

  const answer = (call: GitHubCall): GitHubAnswer => {
    if (call.headers.authorization !== `Bearer ${options.token}`) return refuse(401, "Bad credentials");
    if ((call.headers["user-agent"] ?? "") === "")
      return refuse(403, "Request forbidden by administrative rules");
    if (call.headers["x-github-api-version"] !== "2022-11-28") return refuse(400, "Unknown API version");
    if (call.headers.accept !== "application/vnd.github+json") return refuse(415, "Unsupported Accept");
    if (call.path === "/search/repositories") return search(call);
    const [, rest] = /^\/repos\/acme\/demo(\/.*)$/.exec(call.path) ?? [];
    if (rest === undefined) return refuse(404, "Not Found");
    if (rest === "/issues" && call.method === "GET") return list(call, "issues");
    if (rest === "/pulls" && call.method === "GET") return list(call, "pulls");
    if (rest === "/issues" && call.method === "POST") return create(call);
    const [, number, tail = ""] = /^\/issues\/(\d+)(\/comments)?$/.exec(rest) ?? [];
    const issue = issues.find((one) => one.number === Number(number));
    if (issue === undefined) return refuse(404, "Not Found");
    if (tail === "" && call.method === "GET") return { status: 200, body: toWire(issue) };
    if (tail === "" && call.method === "PATCH") return patch(call, issue);
    if (tail !== "" && call.method === "POST") return comment(call, issue);
    return refuse(404, "Not Found");
  };

  const list = (call: GitHubCall, kind: "issues" | "pulls"): GitHubAnswer => {
    const wrong = unknownIn(Object.keys(call.query), QUERIES[kind] ?? []);
    if (wrong !== undefined) return wrong;
    const { state = "open", per_page = "30", page = "1", labels = "" } = call.query;
    const wanted = labels === "" ? [] : labels.split(",");
    const found = issues
      .filter((one) => kind === "issues" || one.isPull === true)
      .filter((one) => state === "all" || (one.state ?? "open") === state)
      .filter((one) => wanted.every((label) => one.labels?.includes(label) === true));
    const from = (Number(page) - 1) * Number(per_page);
    return { status: 200, body: found.slice(from, from + Number(per_page)).map(toWire) };
  };
  const search = (call: GitHubCall): GitHubAnswer => {
    const wrong = unknownIn(Object.keys(call.query), QUERIES["search"] ?? []);
    if (wrong !== undefined) return wrong;
    if ((call.query["q"] ?? "") === "") return refuse(422, "Validation Failed");
    const demo = {
      full_name: "acme/demo",
      description: null,
      stargazers_count: 7,
      language: "TypeScript",
      updated_at: AT,
      html_url: "https://github.test/acme/demo",
    };
    return { status: 200, body: { total_count: 1, incomplete_results: false, items: [demo] } };
  };
  const create = (call: GitHubCall): GitHubAnswer => {
    const body = fieldsOf(call.body, ["title", "body", "labels"]);
    if (body === undefined || typeof body["title"] !== "string") return refuse(422, "Validation Failed");
    const made: FakeIssue = {
      number: Math.max(0, ...issues.map(({ number }) => number)) + 1,
      title: body["title"],
      body: typeof body["body"] === "string" ? body["body"] : "",
      labels: Array.isArray(body["labels"]) ? body["labels"].map(String) : [],
    };
    issues.push(made);
    return { status: 201, body: toWire(made) };
  };
  const patch = (call: GitHubCall, issue: FakeIssue): GitHubAnswer => {
    const body = fieldsOf(call.body, ["state", "state_reason"]);
    const reasons: readonly unknown[] = ["completed", "not_planned", "reopened", undefined];
    if (body?.["state"] !== "closed" || !reasons.includes(body["state_reason"]))
      return refuse(422, "Validation Failed");
    issue.state = "closed";
    issue.state_reason = typeof body["state_reason"] === "string" ? body["state_reason"] : "completed";
    return { status: 200, body: toWire(issue) };
  };
  const comment = (call: GitHubCall, { number }: FakeIssue): GitHubAnswer => {
    const body = fieldsOf(call.body, ["body"]);
    if (typeof body?.["body"] !== "string" || body["body"] === "") return refuse(422, "Validation Failed");
    comments.push({ number, body: body["body"] });
    const html_url = `https://github.test/acme/demo/issues/${number}#c${comments.length}`;
    return { status: 201, body: { id: comments.length, html_url } };
  };

  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void readCall(incoming).then((call) => {
      calls.push(call);
      const { status, body, headers = {} } = forced.shift() ?? answer(call);
      outgoing.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      outgoing.end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    issues,
    comments,
    answerNext: (next) => void forced.push(next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const AT = "2026-01-02T03:04:05Z";

function toWire(issue: FakeIssue): object {
  const { number, title, state = "open", state_reason = null, body = null, labels = [], isPull } = issue;
  return {
    id: 1_000 + number,
    number,
    title,
    state,
    state_reason,
    body,
    user: { login: "ada", id: 1 },
    labels: labels.map((name, id) => ({ id, name })),
    comments: 0,
    created_at: AT,
    updated_at: AT,
    html_url: `https://github.test/acme/demo/issues/${number}`,
    ...(isPull === true
      ? { pull_request: {}, draft: true, head: { ref: "fix" }, base: { ref: "main" } }
      : {}),
  };
}

function unknownIn(given: readonly string[], known: readonly string[]): GitHubAnswer | undefined {
  const wrong = given.find((name) => !known.includes(name));
  return wrong === undefined ? undefined : refuse(422, `Unknown parameter ${wrong}`);
}

function fieldsOf(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.keys(body).every((name) => known.includes(name)) ? { ...body } : undefined;
}

async function readCall(incoming: IncomingMessage): Promise<GitHubCall> {
  const { pathname: path, searchParams } = new URL(incoming.url ?? "/", "http://fake");
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return {
    method: incoming.method ?? "",
    path,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
