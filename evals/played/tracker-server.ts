import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export interface Issue {
  readonly number: number;
  readonly title: string;
  state: "open" | "closed";
  labels: { readonly name: string; readonly color: string; readonly url: string }[];
  readonly user: { readonly login: string; readonly id: number; readonly avatar_url: string };
  readonly created_at: string;
  comments: string[];
  readonly pull_request?: { readonly url: string };
}

export interface Tracker extends AsyncDisposable {
  readonly url: string;
  readonly issues: Issue[];
}

const PAGE = 30;
const REPORTERS = ["mona", "hubot", "linus", "grace"];

function makeIssues(): Issue[] {
  return Array.from({ length: 58 }, (_, at): Issue => {
    const number = 58 - at;
    const isPull = number % 6 === 0;
    const label = number % 4 === 1 ? "bug" : "idea";
    const title = number === 23 ? "Login fails after a password change" : `Something about part ${number}`;
    return {
      number,
      title,
      state: number % 10 === 0 ? "closed" : "open",
      labels: [{ name: label, color: "f00", url: `https://tracker.example/labels/${label}` }],
      user: {
        login: REPORTERS[number % 5 === 0 ? 3 : number % 3] ?? "mona",
        id: number,
        avatar_url: `https://tracker.example/avatars/${number}`,
      },
      created_at: new Date(Date.UTC(2026, 0, number)).toISOString(),
      comments: [],
      ...(isPull ? { pull_request: { url: `https://tracker.example/pulls/${number}` } } : {}),
    };
  });
}

/** Like GitHub's API: pages of thirty with a `Link`, pull requests among the issues, much that nobody needs. */
export async function startTracker(): Promise<Tracker> {
  const issues = makeIssues();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? "/", "http://tracker");
      const number = Number(/^\/issues\/(\d+)/.exec(url.pathname)?.[1]);
      const issue = issues.find((one) => one.number === number);
      const given = (body === "" ? {} : JSON.parse(body)) as Record<string, unknown>;
      const send = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(value));
      };
      if (url.pathname === "/issues") {
        const state = url.searchParams.get("state") ?? "open";
        const labels = url.searchParams.get("labels")?.split(",") ?? [];
        const found = issues.filter(
          (one) =>
            (state === "all" || one.state === state) &&
            labels.every((label) => one.labels.some(({ name }) => name === label)),
        );
        const page = Number(url.searchParams.get("page") ?? 1);
        const size = Math.min(Number(url.searchParams.get("per_page") ?? PAGE), 100);
        const next = new URL(url);
        next.searchParams.set("page", String(page + 1));
        const link =
          page * size < found.length ? { link: `<${next.pathname}${next.search}>; rel="next"` } : {};
        return send(200, found.slice((page - 1) * size, page * size).map(shown), link);
      }
      if (issue === undefined) return send(404, { message: "Not Found" });
      if (request.method === "POST") {
        issue.comments.push(String(given["body"]));
        return send(201, { id: issue.comments.length, body: given["body"] });
      }
      if (request.method === "PATCH") {
        if (given["state"] === "open" || given["state"] === "closed") issue.state = given["state"];
        if (Array.isArray(given["labels"]))
          issue.labels = given["labels"].map((name) => ({ name: String(name), color: "0f0", url: "" }));
      }
      return send(200, shown(issue));
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    issues,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function shown({ comments, ...issue }: Issue): object {
  return {
    ...issue,
    comments: comments.length,
    url: `https://tracker.example/issues/${issue.number}`,
    node_id: `I_${issue.number}`,
    events_url: "https://tracker.example/events",
    labels_url: "https://tracker.example/labels",
    html_url: `https://tracker.example/i/${issue.number}`,
  };
}

const number = { name: "number", in: "path", required: true, schema: { type: "integer" } };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const required = (schema: object) => ({ required: true, ...json(schema) });
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: "string" }]));

/** Its OpenAPI document. */
export function trackerSpec(url: string): object {
  const issue = { $ref: "#/components/schemas/Issue" };
  const one = { "200": { description: "The issue", ...json(issue) } };
  return {
    openapi: "3.1.0",
    info: { title: "Tracker", version: "1" },
    servers: [{ url }],
    paths: {
      "/issues": {
        get: {
          operationId: "listIssues",
          summary: "List issues",
          parameters: [
            { name: "state", in: "query", schema: { enum: ["open", "closed", "all"], default: "open" } },
            {
              name: "labels",
              in: "query",
              description: "Names, comma separated",
              schema: { type: "string" },
            },
            { name: "page", in: "query", schema: { type: "integer", default: 1 } },
            { name: "per_page", in: "query", schema: { type: "integer", default: PAGE, maximum: 100 } },
          ],
          responses: { "200": { description: "Issues", ...json({ type: "array", items: issue }) } },
        },
      },
      "/issues/{number}": {
        get: { operationId: "getIssue", summary: "Get an issue", parameters: [number], responses: one },
        patch: {
          operationId: "updateIssue",
          summary: "Update an issue",
          parameters: [number],
          requestBody: required({
            type: "object",
            properties: {
              state: { enum: ["open", "closed"] },
              labels: {
                type: "array",
                items: { type: "string" },
                description: "Replaces all labels of the issue",
              },
            },
          }),
          responses: one,
        },
      },
      "/issues/{number}/comments": {
        post: {
          operationId: "createComment",
          summary: "Comment on an issue",
          parameters: [number],
          requestBody: required({ type: "object", properties: texts("body"), required: ["body"] }),
          responses: {
            "201": { description: "Created", ...json({ type: "object", properties: texts("body") }) },
          },
        },
      },
    },
    components: {
      schemas: {
        Issue: {
          type: "object",
          required: ["number", "title", "state", "labels", "user", "created_at"],
          properties: {
            ...texts("url", "node_id", "events_url", "labels_url", "html_url", "title", "created_at"),
            number: { type: "integer" },
            state: { enum: ["open", "closed"] },
            comments: { type: "integer" },
            labels: { type: "array", items: { type: "object", properties: texts("name", "color", "url") } },
            user: {
              type: "object",
              properties: { ...texts("login", "avatar_url"), id: { type: "integer" } },
            },
            pull_request: {
              type: "object",
              description: "Only pull requests have it",
              properties: texts("url"),
            },
          },
        },
      },
    },
  };
}
