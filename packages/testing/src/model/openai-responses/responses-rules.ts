import { asText, type Json, isJson, objectsIn, unknownField } from "../fake/fake-wire.ts";

/** What `POST /v1/responses` rejects, in its own words where they are known. */
export function* findProblems(body: Json): Iterable<string> {
  const extra = unknownField(body, BODY_FIELDS);
  if (extra !== undefined) yield `Unknown parameter: '${extra}'.`;
  if (typeof body["model"] !== "string") yield "Missing required parameter: 'model'.";
  for (const name of ["temperature", "top_p"]) {
    if (name in body) yield `Unsupported parameter: '${name}' is not supported with this model.`;
  }
  if (body["stream"] !== true) yield "this fake only streams";
  const most = body["max_output_tokens"];
  if (typeof most === "number" && most < 16)
    yield "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.";
  yield* findToolProblems(body["tools"]);
  yield* findEffortProblems(body);
  const items = objectsIn(body["input"]);
  if (items.length === 0) yield "Missing required parameter: 'input'.";
  for (const [at, item] of items.entries()) yield* findItemProblems(item, `input[${at}]`);
  yield* findPairProblems(items);
  yield* findOrderProblems(items);
}

const BODY_FIELDS = [
  "model input instructions tools tool_choice max_output_tokens store include stream stream_options",
  "reasoning text metadata parallel_tool_calls prompt_cache_key prompt_cache_options temperature top_p",
].flatMap((line) => line.split(" "));

/** The first models that reason know other levels than the last, and those before them none. */
function* findEffortProblems({ model, reasoning }: Json): Iterable<string> {
  const effort = isJson(reasoning) ? reasoning["effort"] : undefined;
  if (effort === undefined) return;
  const name = asText(model);
  if (name.startsWith("gpt-4"))
    yield "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
  const known = name.startsWith("gpt-5.1")
    ? ["none", "low", "medium", "high"]
    : ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
  const listed = known.map((level) => `'${level}'`).join(", ");
  if (!known.includes(asText(effort)))
    yield `Unsupported value: '${asText(effort)}' is not supported with the '${name}' model. Supported values are: ${listed}.`;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function* findToolProblems(value: unknown): Iterable<string> {
  for (const [at, tool] of objectsIn(value).entries()) {
    const extra = unknownField(tool, ["type", "name", "description", "parameters", "strict"]);
    if (extra !== undefined) yield `Unknown parameter: 'tools[${at}].${extra}'.`;
    if (tool["type"] !== "function") yield `Invalid value: 'tools[${at}].type'.`;
    if (!NAME.test(asText(tool["name"])))
      yield `Invalid 'tools[${at}].name': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`;
    if (!isJson(tool["parameters"])) yield `Missing required parameter: 'tools[${at}].parameters'.`;
  }
}

const ITEM_FIELDS: Readonly<Record<string, readonly string[]>> = {
  message: ["type", "role", "content", "id", "status", "phase"],
  function_call: ["type", "id", "call_id", "name", "arguments", "status"],
  function_call_output: ["type", "id", "call_id", "output", "status"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"],
};

const typeOf = (item: Json): string => asText(item["type"] ?? "message");

function* findItemProblems(item: Json, path: string): Iterable<string> {
  const type = typeOf(item);
  const fields = ITEM_FIELDS[type];
  if (fields === undefined) yield `Invalid value: '${type}'. At '${path}.type'.`;
  const extra = unknownField(item, fields ?? []);
  if (extra !== undefined) yield `Unknown parameter: '${path}.${extra}'.`;
  if (type === "message" && !["user", "assistant", "developer", "system"].includes(String(item["role"])))
    yield `Invalid value: '${String(item["role"])}'. At '${path}.role'.`;
  if (type === "message" && item["role"] === "user") yield* findContentProblems(item["content"], path);
  else if (type === "message" && (typeof item["content"] !== "string" || item["content"] === ""))
    yield `Invalid '${path}.content': this fake wants text.`;
  if (type.startsWith("function_call") && !NAME.test(asText(item["call_id"])))
    yield `Invalid '${path}.call_id': string too long. Expected a string with maximum length 64.`;
  if (type === "function_call" && typeof item["arguments"] !== "string")
    yield `Invalid type for '${path}.arguments': expected a string, but got an object instead.`;
  if (type === "function_call_output" && item["output"] !== "")
    yield* findContentProblems(item["output"], path);
}

/** Text, or a list of texts and pictures. */
function* findContentProblems(content: unknown, path: string): Iterable<string> {
  const parts = typeof content === "string" ? [{ type: "input_text", text: content }] : objectsIn(content);
  if (parts.length === 0) yield `Missing required parameter: '${path}.content'.`;
  for (const part of parts) {
    const isText = part["type"] === "input_text" && asText(part["text"]) !== "";
    const isImage =
      part["type"] === "input_image" &&
      typeof part["detail"] === "string" &&
      /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(asText(part["image_url"]));
    if (!isText && !isImage) yield `Invalid value at '${path}.content'.`;
  }
}

function* findPairProblems(items: readonly Json[]): Iterable<string> {
  const called = items.filter((item) => typeOf(item) === "function_call").map((item) => item["call_id"]);
  const answered = items
    .filter((item) => typeOf(item) === "function_call_output")
    .map((item) => item["call_id"]);
  const stray = answered.find((id) => !called.includes(id));
  if (stray !== undefined) yield `No tool call found for function call output with call_id ${asText(stray)}.`;
  const missing = called.find((id) => !answered.includes(id));
  if (missing !== undefined) yield `No tool output found for function call ${asText(missing)}.`;
  if (new Set(called).size < called.length) yield "Duplicate function call ids in 'input'.";
}

/** A reasoning item belongs to what the model said after it. */
function* findOrderProblems(items: readonly Json[]): Iterable<string> {
  for (const [at, item] of items.entries()) {
    if (typeOf(item) !== "reasoning") continue;
    const next = items.slice(at + 1).find((later) => typeOf(later) !== "reasoning");
    const isSaid = next !== undefined && (next["role"] === "assistant" || typeOf(next) === "function_call");
    if (!isSaid)
      yield `Item '${String(item["id"])}' of type 'reasoning' was provided without its required following item.`;
  }
}
