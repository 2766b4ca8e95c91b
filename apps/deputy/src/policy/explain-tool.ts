import { resolve } from "node:path";
import { makeVisible } from "@deputy/kit";
import {
  createOriginIndex,
  createPolicy,
  inferLabels,
  inputLeaves,
  type Origin,
  type Origins,
  type PolicyDecision,
  type PolicyTool,
} from "@deputy/policy";
import { AppError } from "../app-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { loadCatalogue } from "../load-catalogue.ts";
import { readSource } from "../read-source.ts";
import { addContext } from "./read-context.ts";

export interface ExplainToolOptions {
  readonly input?: string;
  readonly user?: readonly string[];
  readonly context?: readonly string[];
  readonly tools?: readonly string[];
  readonly description?: string;
  readonly effect?: PolicyTool["effect"];
  readonly approval?: PolicyTool["approval"];
  readonly critical?: string;
}

interface ExplainedTool {
  readonly tool: PolicyTool;
  /** Where its labels come from. */
  readonly labels: "tool" | "inferred" | "given";
}

interface TracedValue {
  readonly path: string;
  readonly value: string | number | boolean;
  readonly origin: Origin;
}

/**
 * `deputy policy explain --tool PATH`: what the gate would say to one call, after what the user said and
 * what was read. Nothing runs. A tool that is not there is judged by its name, or by the labels given.
 */
export async function explainTool(
  invocation: Invocation,
  path: string,
  options: ExplainToolOptions,
): Promise<ExitCode> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const input = readInput(options.input ?? "{}");
  const explained = await findTool(home, invocation.env, path, input, options);
  const index = createOriginIndex();
  for (const text of options.user ?? []) index.addUser(text);
  for (const file of options.context ?? [])
    addContext(index, file, await readSource(file, invocation.stdin, invocation.signal));
  const origins = index.origins();
  const request = { tool: explained.tool, input, inputHash: "", labels: [], origins, grants: [], counts: [] };
  const decision = createPolicy(home.config.policy).decide({ ...request, nowMs: Date.now() });
  show(invocation, explained, decision, traceValues(input, origins));
  return EXIT.done;
}

async function findTool(
  home: Home,
  env: NodeJS.ProcessEnv,
  path: string,
  input: unknown,
  options: ExplainToolOptions,
): Promise<ExplainedTool> {
  const plugins = (options.tools ?? []).map((plugin) => resolve(plugin));
  const catalogue = await loadCatalogue([...home.config.toolSources, ...plugins], home, env);
  const found = catalogue.get(path);
  const { effect, approval, critical, description } = options;
  const given = {
    ...(effect === undefined ? {} : { effect }),
    ...(approval === undefined ? {} : { approval }),
    ...(critical === undefined ? {} : { critical: namesIn(critical) }),
  };
  const isGiven = Object.keys(given).length > 0;
  if (found !== undefined) {
    const terms = found.termsOf?.(input) ?? {};
    return { tool: { ...found, ...terms, ...given }, labels: isGiven ? "given" : "tool" };
  }
  const names = typeof input === "object" && input !== null ? Object.keys(input) : [];
  const inputSchema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const inferred = inferLabels({ path, description, inputSchema });
  return { tool: { path, inputSchema, ...inferred, ...given }, labels: isGiven ? "given" : "inferred" };
}

function traceValues(input: unknown, origins: Origins): readonly TracedValue[] {
  return inputLeaves(input, () => true).map(({ path, value }) => ({
    path,
    value,
    origin: origins.trace(value),
  }));
}

function show(
  { output }: Invocation,
  { tool, labels }: ExplainedTool,
  decision: PolicyDecision,
  values: readonly TracedValue[],
): void {
  const { effect, approval, critical } = tool;
  const names = critical === "all" ? "all arguments" : critical.join(", ") || "none";
  output.result(`${decision.decision}: ${decision.rule}`);
  for (const reason of decision.reasons) output.result(`  ${makeVisible(reason)}`);
  output.result(`${makeVisible(tool.path)}: ${effect}, approval ${approval}, critical ${makeVisible(names)}`);
  if (labels === "inferred")
    output.result("  There is no such tool here: inferred from its name and arguments.");
  for (const { path, value, origin } of values)
    output.result(`  ${makeVisible(`${path || "input"} ${JSON.stringify(value)}`)}: ${originWords(origin)}`);
  output.object({
    type: "verdict",
    tool: tool.path,
    verdict: decision.decision,
    ...decision,
    labels: { effect, approval, critical, from: labels },
    values,
  });
}

function originWords(origin: Origin): string {
  if (origin.kind === "user") return "yours";
  if (origin.kind === "configuration") return "from the configuration";
  return origin.kind === "invented" ? "nobody said it" : `${origin.kind}, from ${makeVisible(origin.source)}`;
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("usage", "--input is not JSON", { cause });
  }
}

function namesIn(list: string): readonly string[] | "all" {
  return list === "all"
    ? "all"
    : list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
}
