import { readFileSync } from "node:fs";
import { createGitHubPlugin } from "@deputy/plugins";
import { openFakeGitHub } from "@deputy/testing";
import { createCatalogue } from "@deputy/tools";

interface Operation {
  readonly parameters?: readonly Reference[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}
type Reference = { readonly $ref: string } | { readonly name: string; readonly in: string };
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, { name: string; in: string }>> };
}

const repository = { owner: "acme", repo: "demo" };
/** Every tool of the plugin, with all that it can be given. */
const CALLS: Readonly<Record<string, object>> = {
  "github.issues.list": { ...repository, state: "all", labels: ["bug"], limit: 5, page: 1 },
  "github.issues.get": { ...repository, number: 1 },
  "github.issues.create": { ...repository, title: "New", body: "Text", labels: ["bug"] },
  "github.issues.comment": { ...repository, number: 1, body: "Words" },
  "github.issues.close": { ...repository, number: 1, reason: "completed" },
  "github.pulls.list": { ...repository, state: "open", limit: 5, page: 1 },
  "github.repos.search": { query: "deputy", limit: 5 },
};

/** Compares what Deputy's plugin sends with GitHub's own description of its API; gives what is not in it. */
export async function checkGitHub(
  file: string,
): Promise<{ readonly requests: number; readonly faults: readonly string[] }> {
  const document = JSON.parse(readFileSync(file, "utf8")) as Document;
  await using github = await openFakeGitHub({ token: "token", issues: [{ number: 1, title: "One" }] });
  const tree = createGitHubPlugin({ baseUrl: github.origin, token: () => "token" });
  const catalogue = createCatalogue([{ source: "github", tree }]);
  const faults = catalogue
    .list()
    .filter(({ path }) => !Object.hasOwn(CALLS, path))
    .map(({ path }) => `${path} is not tried`);
  for (const [path, input] of Object.entries(CALLS)) {
    const tool = catalogue.get(path);
    const parsed = await tool?.parseInput(input);
    if (tool === undefined || parsed === undefined || parsed.kind === "invalid") {
      faults.push(`${path}: ${parsed?.kind === "invalid" ? parsed.message : "is not there"}`);
      continue;
    }
    await tool
      .run(parsed.input, {
        signal: new AbortController().signal,
        idempotencyKey: "k",
        sessionKey: "s",
        approvedBy: "user",
        progress: () => undefined,
        log: () => undefined,
        credential: async () => "token",
      })
      .catch((error: unknown) => faults.push(`${path}: ${String(error)}`));
  }
  for (const { method, path, query, body } of github.calls)
    faults.push(...misfits(document, { method: method.toLowerCase(), path, query, body }));
  return { requests: github.calls.length, faults };
}

function misfits(
  document: Document,
  call: { method: string; path: string; query: Readonly<Record<string, string>>; body: unknown },
): readonly string[] {
  const { method, path } = call;
  const template = Object.keys(document.paths).find(
    (one) =>
      document.paths[one]?.[method] !== undefined &&
      new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const operation = template === undefined ? undefined : document.paths[template]?.[method];
  if (operation === undefined) return [`${method} ${path} is not described`];
  const known = (operation.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? document.components.parameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter,
  );
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const fields = Object.keys(call.body ?? {});
  return [
    ...Object.keys(call.query)
      .filter((name) => !known.some((one) => one?.in === "query" && one.name === name))
      .map((name) => `${method} ${path}: the parameter ${name} is not described`),
    ...fields
      .filter((name) => schema?.properties?.[name] === undefined)
      .map((name) => `${method} ${path}: the field ${name} is not described`),
    ...(schema?.required ?? [])
      .filter((name) => !fields.includes(name))
      .map((name) => `${method} ${path}: the field ${name} is missing`),
  ];
}
