import { AgentError } from "./agent-error.ts";
import type { ProgramCall } from "./ask-model.ts";

/** The program in a `run_code` call. Throws `model_misbehaved` for anything else a model may send. */
export function readProgram(call: ProgramCall): string {
  if (call.name !== "run_code") {
    throw new AgentError("model_misbehaved", `The model called ${call.name}, which it was not offered.`);
  }
  const input = parse(call.inputJson);
  if (typeof input === "object" && input !== null && "code" in input && typeof input.code === "string")
    return input.code;
  throw new AgentError("model_misbehaved", "The model called run_code without a program.");
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new AgentError("model_misbehaved", "The model sent arguments that are not JSON.", { cause });
  }
}
