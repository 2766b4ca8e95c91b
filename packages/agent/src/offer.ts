import type { ModelTool } from "@deputy/model";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "./agent-error.ts";
import type { ModelCall } from "./ask-model.ts";
import type { CellRequest } from "./cell-report.ts";
import { nameFunctions } from "./function-names.ts";

/** How an agent acts: by programs it calls for, by programs in its text, or by one tool at a time. */
export type AgentMode = "code" | "script" | "functions";

/** A program as a model's call asks for it. */
export type CalledProgram = Pick<CellRequest, "code" | "language" | "call">;

/** What a model is offered, and what its calls mean. */
export interface Offer {
  readonly tools: readonly ModelTool[];
  /** Throws `model_misbehaved` for a call that was not offered, or whose arguments are no JSON. */
  programOf(call: ModelCall): CalledProgram;
}

const object = (properties: Record<string, unknown>): ModelTool["inputSchema"] => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const RUN_CODE: ModelTool = {
  name: "run_code",
  description:
    "Runs a TypeScript program against the user's tools: the body of an async function, which may await " +
    "tools.* calls and return a JSON value. It is typechecked first; nothing runs unless it passes.",
  inputSchema: object({ code: { type: "string", description: "The program" } }),
};
const SEARCH_TOOLS: ModelTool = {
  name: "search_tools",
  description: "Finds tools by what they do. Gives paths and descriptions, the best first.",
  inputSchema: object({ query: { type: "string" } }),
};
const DESCRIBE_TOOLS: ModelTool = {
  name: "describe_tools",
  description: "TypeScript declarations of tools, by path. Look before you call one for the first time.",
  inputSchema: object({ paths: { type: "array", items: { type: "string" } } }),
};
/** Which tool of the catalogue stands behind each; it goes through the gate like any other. */
const DISCOVERY: Readonly<Record<string, string>> = {
  search_tools: "deputy.searchTools",
  describe_tools: "deputy.describeTools",
};

export function offerTo(mode: AgentMode, catalogue: Catalogue): Offer {
  if (mode === "functions") return offerFunctions(catalogue);
  const tools = [...(mode === "code" ? [RUN_CODE] : []), SEARCH_TOOLS, DESCRIBE_TOOLS];
  return {
    tools,
    programOf(call) {
      if (!tools.some(({ name }) => name === call.name)) throw notOffered(call);
      const input = parse(call);
      const path = DISCOVERY[call.name];
      if (path !== undefined) return callOf(call, path, input);
      if (typeof input === "object" && input !== null && "code" in input && typeof input.code === "string")
        return { code: input.code, language: "typescript" };
      throw new AgentError("model_misbehaved", "The model called run_code without a program.");
    },
  };
}

/** Every tool as a function of its own: for models that cannot write programs, and few tools. */
function offerFunctions(catalogue: Catalogue): Offer {
  const listed = catalogue.list();
  const names = nameFunctions(listed.map(({ path }) => path));
  return {
    tools: listed.map(({ path, description, inputSchema }) => ({
      name: names.nameOf(path),
      description,
      inputSchema: inputSchema as ModelTool["inputSchema"],
    })),
    programOf(call) {
      const path = names.pathOf(call.name);
      if (path === undefined) throw notOffered(call);
      return callOf(call, path, parse(call));
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

function parse(call: ModelCall): unknown {
  try {
    return JSON.parse(call.inputJson === "" ? "{}" : call.inputJson);
  } catch (cause) {
    throw new AgentError("model_misbehaved", "The model sent arguments that are not JSON.", { cause });
  }
}

function notOffered(call: ModelCall): AgentError {
  return new AgentError("model_misbehaved", `The model called ${call.name}, which it was not offered.`);
}
