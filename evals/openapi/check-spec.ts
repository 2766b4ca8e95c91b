import { readFile } from "node:fs/promises";
import { createSystemClock } from "@deputy/kit";
import { createSpecValidator, type SpecValidator, type WireRequest } from "@deputy/testing/openapi";
import { createCatalogue } from "@deputy/tools";
import { openApiSource, parseSpec } from "@deputy/tools/openapi";
import { sampleValue } from "./sample-value.ts";

/** What became of one spec. */
export interface SpecReport {
  readonly spec: string;
  /** Why it did not load. */
  readonly failure?: string;
  readonly operations: number;
  readonly callable: number;
  /** By class: operations that a call could not be made of, each with what was wrong. */
  readonly problems: readonly { readonly kind: ProblemKind; readonly tool: string; readonly text: string }[];
  readonly declarations: string;
}

/**
 * `input`: the tool refuses what its schema asks for. `request`: no request could be made. `server`: the server finds
 * the request wrong. `validator`: the spec is such that nobody can judge a request by it.
 */
export type ProblemKind = "input" | "request" | "server" | "validator";

/** Loads a spec, makes a call of each operation, and has it judged by the same spec on the other side. */
export async function checkSpec(directory: string, spec: string): Promise<SpecReport> {
  const text = await readFile(`${directory}/${spec}`, "utf8");
  const none = { spec, operations: 0, callable: 0, problems: [], declarations: "" };
  let judged: { readonly request: WireRequest } | undefined;
  const door = async (url: URL, init: RequestInit): Promise<Response> => {
    judged = { request: await toWire(new Request(url, init)) };
    return Response.json({});
  };
  const root = await parseSpec(text).catch((error: unknown) => error as Error);
  if (root instanceof Error) return { ...none, failure: root.message };
  let catalogue;
  try {
    const deps = { doors: { named: door, others: door }, clock: createSystemClock(), learnSecret: () => undefined };
    catalogue = createCatalogue([openApiSource(root, { name: "api", server: "http://127.0.0.1:1" }, deps)]);
  } catch (error) {
    return { ...none, failure: error instanceof Error ? error.message : String(error) };
  }
  const problems: SpecReport["problems"][number][] = [];
  let validator: SpecValidator | undefined;
  const validate = async (request: WireRequest, expected: string): Promise<string> => {
    validator ??= createSpecValidator(root);
    return (await validator.check(request, expected)).problems.join("; ");
  };
  const tools = catalogue.list();
  for (const tool of tools) {
    const fail = (kind: ProblemKind, why: string): void =>
      void problems.push({ kind, tool: tool.path, text: why.slice(0, 300) });
    const parsed = tool.parseInput(sampleValue(tool.inputSchema, ["maxPages"]));
    if (parsed.kind === "invalid") {
      fail("input", parsed.message);
      continue;
    }
    judged = undefined;
    const context = {
      signal: new AbortController().signal,
      idempotencyKey: "",
      sessionKey: "",
      approvedBy: "user" as const,
      progress: () => undefined,
      log: () => undefined,
    };
    const failure = await tool.run(parsed.input, context).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const sent = judged as { readonly request: WireRequest } | undefined;
    if (sent === undefined) {
      fail("request", failure ?? "nothing was sent");
      continue;
    }
    const expected = tool.description.split("\n").at(-1) ?? "";
    try {
      const wrong = await validate(sent.request, expected);
      if (wrong !== "") fail("server", wrong);
    } catch (error) {
      fail("validator", error instanceof Error ? error.message : String(error));
    }
  }
  return {
    spec,
    operations: tools.length,
    callable: tools.length - problems.filter(({ kind }) => kind !== "validator").length,
    problems,
    declarations: catalogue.declarations(),
  };
}

async function toWire(request: Request): Promise<WireRequest> {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    headers: request.headers,
    body: new Uint8Array(await request.arrayBuffer()),
  };
}
