import { readFile } from "node:fs/promises";
import { createSystemClock } from "@deputy/kit";
import { createSpecValidator, type SpecValidator, type WireRequest } from "@deputy/testing/openapi";
import { type Catalogue, type CatalogueTool, createCatalogue } from "@deputy/tools";
import { openApiSource } from "@deputy/source-openapi";
import { parseSpec } from "@deputy/source-openapi/parse-spec";
import { sampleValue } from "./sample-value.ts";

/** What became of one spec. */
export interface SpecReport {
  readonly spec: string;
  /** Why it did not load. */
  readonly failure?: string;
  readonly operations: number;
  /** Operations that a call could not be made of, each with what was wrong. */
  readonly problems: readonly Problem[];
  readonly declarations: string;
}

/**
 * `input`: the tool refuses what its schema asks for. `request`: no request could be made. `server`: the server finds
 * the request wrong. `validator`: the spec is such that nobody can judge a request by it.
 */
export type ProblemKind = "input" | "request" | "server" | "validator";

interface Problem {
  readonly kind: ProblemKind;
  readonly tool: string;
  readonly text: string;
}

/** A server that keeps what it was last sent. */
export interface Wire {
  readonly url: string;
  sent?: WireRequest;
}

/** Loads a spec, makes a call of each operation, and has it judged by the same spec on the other side. */
export async function checkSpec(directory: string, spec: string, wire: Wire): Promise<SpecReport> {
  const none = { spec, operations: 0, problems: [], declarations: "" };
  let root: unknown;
  let catalogue: Catalogue;
  try {
    root = await parseSpec(await readFile(`${directory}/${spec}`, "utf8"));
    catalogue = openCatalogue(root, wire);
  } catch (error) {
    return { ...none, failure: messageOf(error) };
  }
  let validator: SpecValidator | undefined;
  const judge = async (request: WireRequest, expected: string): Promise<string> => {
    validator ??= createSpecValidator(root);
    return (await validator.check(request, expected)).problems.join("; ");
  };
  const problems: Problem[] = [];
  const tools = catalogue.list();
  for (const tool of tools) {
    const found =
      (await tryCall(tool, "more", wire, judge)) === undefined
        ? undefined
        : await tryCall(tool, "least", wire, judge);
    if (found !== undefined) problems.push({ ...found, tool: tool.path });
  }
  return { spec, operations: tools.length, problems, declarations: catalogue.declarations() };
}

function openCatalogue(root: unknown, { url }: Wire): Catalogue {
  const doors = { named: fetch, others: fetch };
  const deps = { doors, clock: createSystemClock(), learnSecret: () => undefined };
  return createCatalogue([openApiSource(root, { name: "api", server: url }, deps)]);
}

async function tryCall(
  tool: CatalogueTool,
  much: "least" | "more",
  wire: Wire,
  judge: (request: WireRequest, expected: string) => Promise<string>,
): Promise<Omit<Problem, "tool"> | undefined> {
  const parsed = await tool.parseInput(sampleValue(tool.inputSchema, much, ["maxPages"]));
  if (parsed.kind === "invalid") return { kind: "input", text: parsed.message };
  delete wire.sent;
  const context = {
    signal: new AbortController().signal,
    idempotencyKey: "",
    sessionKey: "",
    approvedBy: "user" as const,
    progress: () => undefined,
    log: () => undefined,
  };
  // What it makes of the empty answer does not matter here.
  const failure = await tool.run(parsed.input, context).then(() => "nothing was sent", messageOf);
  if (wire.sent === undefined) return { kind: "request", text: failure };
  try {
    const wrong = await judge(wire.sent, tool.description.split("\n").at(-1) ?? "");
    return wrong === "" ? undefined : { kind: "server", text: wrong };
  } catch (error) {
    return { kind: "validator", text: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
