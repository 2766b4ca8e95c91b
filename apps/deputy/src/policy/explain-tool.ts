import { resolve } from "node:path";
import { localDay } from "@deputy/protocol/schedule";
import { readInput } from "@deputy/agent/turns";
import { makeVisible } from "@deputy/kit";
import type { Origin, Origins, PolicyDecision, PolicyTool } from "@deputy/policy";
import { createPolicy } from "@deputy/policy/create-policy";
import { inferLabels } from "@deputy/policy/infer-labels";
import { inputLeaves } from "@deputy/policy/input-leaves";
import { createOriginIndex } from "@deputy/policy/provenance";
import { openAgents } from "../agents/open-agents.ts";
import { AppError } from "../app-error.ts";
import { toolSourcesOf } from "../config/tool-source-schema.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
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
  readonly agent?: string;
  readonly description?: string;
  readonly effect?: PolicyTool["effect"];
  readonly approval?: PolicyTool["approval"];
  readonly critical?: string;
}

interface ExplainedTool {
  readonly tool: PolicyTool & { readonly presumed?: string };
  /** The input as the gate reads it, after the schema has dropped, filled in or converted values. */
  readonly input: unknown;
  /** Why the gate would refuse without asking. */
  readonly invalid?: string;
  /** The origin of its labels. */
  readonly labels: "tool" | "inferred" | "given";
}

interface TracedValue {
  readonly path: string;
  readonly value: string | number | boolean;
  readonly origin: Origin;
}

/**
 * `deputy policy explain --tool PATH`: what the gate would decide about one call, given what the user said
 * and what was read. Nothing runs. An unknown tool is judged by its name, or by the given labels.
 */
export async function explainTool(
  invocation: Invocation,
  path: string,
  options: ExplainToolOptions,
): Promise<ExitCode> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const { signal, stdin } = invocation;
  const explained = await findTool(home, invocation, path, options);
  const { tool, input, invalid } = explained;
  const nowMs = Date.now();
  const today = localDay(nowMs);
  const index = createOriginIndex();
  if (options.agent !== undefined) {
    const { registry } = openAgents(home, process.cwd());
    for (const { by, text } of (await registry.read(options.agent, signal)).instructions) {
      if (by.kind === "configuration") index.addConfiguration(text);
      if (by.kind === "other") index.addResult({ source: by.source, trust: "untrusted" }, text);
    }
  }
  for (const text of options.user ?? []) index.addUser(text, today);
  for (const file of options.context ?? [])
    addContext(index, file, await readSource(file, stdin, signal), today);
  const origins = index.origins();
  const labels = origins.untrusted.map((source) => ({ trust: "untrusted" as const, source }));
  const request = { tool, input, inputHash: "", labels, origins, grants: [], counts: [], nowMs };
  const decision: PolicyDecision =
    invalid === undefined
      ? createPolicy(home.config.policy).decide(request)
      : { decision: "deny", rule: "invalid_input", reasons: [invalid] };
  show(invocation, explained, decision, traceValues(input, origins));
  return EXIT.done;
}

async function findTool(
  home: Home,
  invocation: Invocation,
  path: string,
  options: ExplainToolOptions,
): Promise<ExplainedTool> {
  const inputJson = assertJson(options.input ?? "{}");
  const plugins = (options.tools ?? []).map((plugin) => resolve(plugin));
  const catalogue = await loadCatalogue([...toolSourcesOf(home.config), ...plugins], home, invocation);
  const found = catalogue.get(path);
  const { effect, approval, critical, description } = options;
  const given = {
    ...(effect === undefined ? {} : { effect }),
    ...(approval === undefined ? {} : { approval }),
    ...(critical === undefined ? {} : { critical: namesIn(critical) }),
  };
  const isGiven = Object.keys(given).length > 0;
  const read = await readInput(found, inputJson);
  const input = read.json;
  if (found !== undefined) {
    const labels = isGiven ? ("given" as const) : ("tool" as const);
    if (read.kind === "invalid")
      return { tool: { ...found, ...given }, input, invalid: read.message, labels };
    return { tool: { ...found, ...(await found.termsOf?.(read.value)), ...given }, input, labels };
  }
  const names = typeof input === "object" && input !== null ? Object.keys(input) : [];
  const inputSchema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const inferred = inferLabels({ path, description, inputSchema });
  return {
    tool: { path, inputSchema, ...inferred, ...given },
    input,
    labels: isGiven ? "given" : "inferred",
  };
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
  if (labels === "tool" && tool.presumed !== undefined) output.result(`  ${makeVisible(tool.presumed)}`);
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

function assertJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
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
