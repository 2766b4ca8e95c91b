import { isRecord, parseJson } from "@deputy/kit";
import type { ModelTool } from "@deputy/model";
import { ours, plainText, textBy } from "../ingress/labelled-text.ts";
import type { PromptTool } from "../ingress/prompt.ts";
import { namesBy, wordsBy } from "../ingress/tool-author.ts";
import type { Catalogue } from "@deputy/tools";
import type { ModelCall } from "./ask-model.ts";
import type { CellRequest } from "../cell/cell-report.ts";

/** The longest function name that every provider accepts. */
const LONGEST = 64;

/** How an agent acts: by programs it calls for, by programs in its text, or by one tool at a time. */
export type AgentMode = "code" | "script" | "functions";

/** A program as a model's call asks for it. */
export type CalledProgram = Pick<CellRequest, "code" | "language" | "call" | "refusal">;

/** The functions that a model is offered, and the programs that its calls mean. */
export interface Offer {
  readonly tools: readonly PromptTool[];
  /** Refuses a call that was not offered, or whose arguments make no sense, and tells the model so. */
  programOf(call: ModelCall): CalledProgram;
}

const object = (
  properties: Record<string, unknown>,
  required = Object.keys(properties),
): PromptTool["inputSchema"] => ({
  by: { kind: "deputy" },
  value: { type: "object", properties, required, additionalProperties: false },
});

const RUN_CODE: PromptTool = {
  name: ours`run_code`,
  description: ours`Runs a TypeScript program against the user's tools: the body of an async function, which may await tools.* calls and return a JSON value. It is typechecked first; nothing runs unless it passes.`,
  inputSchema: object({ code: { type: "string", description: "The program" } }),
};

const SEARCH_TOOLS: PromptTool = {
  name: ours`search_tools`,
  description: ours`Finds tools by what they do. Gives paths and descriptions, the best first.`,
  inputSchema: object({ query: { type: "string" } }),
};

const DESCRIBE_TOOLS: PromptTool = {
  name: ours`describe_tools`,
  description: ours`TypeScript declarations of tools, by path or namespace. Look before you call one for the first time. Large types are cut where … stands, unless whole is true.`,
  inputSchema: object({ paths: { type: "array", items: { type: "string" } }, whole: { type: "boolean" } }, [
    "paths",
  ]),
};

/** Which tool of the catalogue stands behind each; it goes through the gate like any other. */
const DISCOVERY: Readonly<Record<string, string>> = {
  search_tools: "deputy.searchTools",
  describe_tools: "deputy.describeTools",
};

export function offerTo(mode: AgentMode, catalogue: Catalogue): Offer {
  if (mode === "functions") return offerFunctions(catalogue);
  // Scripts are for models that take no functions: a server without them would refuse the request.
  const tools = mode === "script" ? [] : [RUN_CODE, SEARCH_TOOLS, DESCRIBE_TOOLS];
  return {
    tools,
    programOf(call) {
      if (!tools.some(({ name }) => plainText(name) === call.name)) return notOffered(call, tools);
      const input = parse(call);
      if (input === NOT_JSON) return refuse(call, "The arguments are not JSON.");
      const path = DISCOVERY[call.name];
      if (path !== undefined) return callOf(call, path, input);
      if (typeof input === "object" && input !== null && "code" in input && typeof input.code === "string")
        return { code: input.code, language: "typescript" };
      return refuse(call, "run_code takes { code }, the program's text.");
    },
  };
}

/** Every tool as a function of its own: for models that cannot write programs, and few tools. */
function offerFunctions(catalogue: Catalogue): Offer {
  const listed = catalogue.list();
  const names = nameFunctions(listed.map(({ path }) => path));
  // Every function is described in the request: who searched would find the same again, as declarations for programs.
  const isDiscovery = new Set(Object.values(DISCOVERY));
  const offered = listed.filter(({ path }) => !isDiscovery.has(path));
  const tools = offered.map((tool): PromptTool => ({
    name: textBy(namesBy(tool), names.nameOf(tool.path)),
    description: textBy(wordsBy(tool), tool.description),
    inputSchema: { value: tool.inputSchema as ModelTool["inputSchema"], by: wordsBy(tool) },
  }));
  return {
    tools,
    programOf(call) {
      // Also of what is no longer offered: earlier sessions called it.
      const path = names.pathOf(call.name);
      if (path === undefined) return notOffered(call, tools);
      const input = parse(call);
      return input === NOT_JSON ? refuse(call, "The arguments are not JSON.") : callOf(call, path, input);
    },
  };
}

/** One call as a program, so that it takes the way of every other: gate, receipt, journal. */
function callOf(call: ModelCall, path: string, input: unknown): CalledProgram {
  const tool = path
    .split(".")
    .map((name) => `[${JSON.stringify(name)}]`)
    .join("");
  // Parsed by the program: as a literal, a key named __proto__ would mean something else.
  const code = `return await tools${tool}(JSON.parse(${JSON.stringify(JSON.stringify(input))}));`;
  return { code, language: "javascript", call: { name: call.name, input } };
}

const NOT_JSON = Symbol("not JSON");

function parse(call: ModelCall): unknown {
  try {
    return JSON.parse(call.inputJson === "" ? "{}" : call.inputJson);
  } catch {
    return NOT_JSON;
  }
}

/** Named in a refusal; the model has all of them in its prompt anyway. */
const NAMED_FUNCTIONS = 20;

function notOffered(call: ModelCall, tools: readonly PromptTool[]): CalledProgram {
  const names = tools.slice(0, NAMED_FUNCTIONS).map(({ name }) => plainText(name));
  const more = tools.length > names.length ? ", …" : "";
  const offered = names.length === 0 ? "there are none" : `there are ${names.join(", ")}${more}`;
  return refuse(call, `There is no function of this name; ${offered}.`);
}

/** Providers take back only names and arguments of this form, so that is how the call stays on record. */
function refuse(call: ModelCall, refusal: string): CalledProgram {
  const name = call.name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "_";
  const input = parse(call);
  const kept = isRecord(input) ? input : { [NO_OBJECT]: call.inputJson };
  return { code: "", language: "javascript", call: { name, input: kept }, refusal };
}

/** The one property of the arguments on record, when what a model sent was no object. */
const NO_OBJECT = "(sent)";

/** The input that a model sent, in the form in which it is recorded. */
export function sentJson(input: unknown): string {
  if (typeof input === "object" && input !== null && NO_OBJECT in input && Object.keys(input).length === 1) {
    const { [NO_OBJECT]: sent } = input;
    if (typeof sent === "string" && !isRecord(parseJson(sent))) return sent;
  }
  return JSON.stringify(input ?? {});
}

interface FunctionNames {
  nameOf(path: string): string;
  pathOf(name: string): string | undefined;
}

/** A name for each tool that providers accept: `github.issues.close` becomes `github_issues_close`. Unique, and the same for the same paths. */
function nameFunctions(paths: readonly string[]): FunctionNames {
  const byName = new Map<string, string>();
  const byPath = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const plain = path.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST) || "_";
    let name = plain;
    for (let n = 2; byName.has(name); n++) name = `${plain.slice(0, LONGEST - String(n).length - 1)}_${n}`;
    byName.set(name, path);
    byPath.set(path, name);
  }
  return {
    nameOf: (path) => byPath.get(path) ?? path,
    pathOf: (name) => byName.get(name),
  };
}
