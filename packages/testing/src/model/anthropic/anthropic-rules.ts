import { asText, type Json, isJson, objectsIn, unknownField } from "../fake/fake-wire.ts";

/** What `POST /v1/messages` of version 2026-10-21 rejects, in its own words where they are known. */
export function* findProblems(body: Json): Iterable<string> {
  const extra = unknownField(body, BODY_FIELDS);
  if (extra !== undefined) yield `${extra}: Extra inputs are not permitted`;
  if (typeof body["model"] !== "string") yield "model: Field required";
  if (typeof body["max_tokens"] !== "number") yield "max_tokens: Field required";
  if (body["stream"] !== true) yield "stream: this fake only streams";
  yield* findToolProblems(body["tools"]);
  yield* findEffortProblems(body);
  const messages = objectsIn(body["messages"]);
  if (messages.length === 0) yield "messages: at least one message is required";
  if (messages[0]?.["role"] !== "user") yield 'messages: first message must use the "user" role';
  if (messages.at(-1)?.["role"] === "assistant")
    yield "This model does not support assistant message prefill. The conversation must end with a user message.";
  for (const [at, message] of messages.entries()) yield* findMessageProblems(message, `messages.${at}`);
  for (const [at, block] of blocksOf({ content: body["system"] }).entries())
    yield* findTextProblems(block, `system.${at}`);
  yield* findPairProblems(messages);
  const marks = countMarks(body);
  if (marks > 4) yield `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
}

const BODY_FIELDS = [
  "model max_tokens messages system tools tool_choice stream thinking",
  "metadata stop_sequences service_tier output_config",
].flatMap((line) => line.split(" "));

/** Models of before it was there. */
const WITHOUT_EFFORT = /^claude-(?:haiku|sonnet)-4-5/;

function* findEffortProblems({ model, thinking, output_config: config }: Json): Iterable<string> {
  const effort = isJson(config) ? config["effort"] : undefined;
  if (effort !== undefined && WITHOUT_EFFORT.test(asText(model)))
    yield "This model does not support the effort parameter.";
  if (effort !== undefined && !["low", "medium", "high", "xhigh", "max"].includes(asText(effort)))
    yield "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'";
  const type = isJson(thinking) ? thinking["type"] : "adaptive";
  if (!["adaptive", "disabled", "enabled", "between_tools"].includes(asText(type)))
    yield "thinking: Input tag does not match any of the expected tags";
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const ID = /^[a-zA-Z0-9_-]+$/;

function* findToolProblems(value: unknown): Iterable<string> {
  const tools = objectsIn(value);
  const names = tools.map((tool) => tool["name"]);
  if (new Set(names).size < names.length) yield "tools: Tool names must be unique.";
  for (const [at, tool] of tools.entries()) {
    const extra = unknownField(tool, [
      "name",
      "description",
      "input_schema",
      "cache_control",
      "type",
      "strict",
    ]);
    if (extra !== undefined) yield `tools.${at}.custom.${extra}: Extra inputs are not permitted`;
    if (typeof tool["name"] !== "string" || !NAME.test(tool["name"]))
      yield `tools.${at}.custom.name: String should match pattern '${NAME.source}'`;
    const schema = tool["input_schema"];
    if (!isJson(schema) || schema["type"] !== "object")
      yield `tools.${at}.custom.input_schema.type: Field required`;
  }
}

const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ["type", "text", "cache_control"],
  tool_use: ["type", "id", "name", "input", "cache_control"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
  image: ["type", "source", "cache_control"],
};

const BLOCKS_OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "tool_result", "image"],
  assistant: ["text", "tool_use", "thinking", "redacted_thinking"],
};

function* findMessageProblems(message: Json, path: string): Iterable<string> {
  const role = String(message["role"]);
  if (!(role in BLOCKS_OF_ROLE)) yield `${path}.role: Input should be 'user' or 'assistant'`;
  const extra = unknownField(message, ["role", "content"]);
  if (extra !== undefined) yield `${path}.${extra}: Extra inputs are not permitted`;
  const blocks = blocksOf(message);
  if (blocks.length === 0) yield `${path}: all messages must have non-empty content`;
  const last = String(blocks.at(-1)?.["type"]);
  if (last.endsWith("thinking"))
    yield `${path}: The final block in an assistant message cannot be \`thinking\`.`;
  for (const [at, block] of blocks.entries()) {
    const type = String(block["type"]);
    const place = `${path}.content.${at}`;
    if (!(BLOCKS_OF_ROLE[role] ?? []).includes(type))
      yield `${place}: a ${type} block cannot be of the ${role}`;
    const odd = unknownField(block, BLOCK_FIELDS[type] ?? []);
    if (odd !== undefined) yield `${place}.${type}.${odd}: Extra inputs are not permitted`;
    if (type === "text") yield* findTextProblems(block, place);
    if (type === "image") yield* findImageProblems(block, place);
    for (const inner of type === "tool_result" ? objectsIn(block["content"]) : [])
      if (inner["type"] === "image") yield* findImageProblems(inner, place);
    if (type === "tool_use" && !isJson(block["input"]))
      yield `${place}.tool_use.input: Input should be an object`;
    if (type === "tool_use" && !ID.test(asText(block["id"])))
      yield `${place}.tool_use.id: String should match pattern '${ID.source}'`;
    if (type === "thinking" && typeof block["signature"] !== "string")
      yield `${place}.thinking.signature: Field required`;
  }
}

const MEDIA_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function* findImageProblems({ source }: Json, place: string): Iterable<string> {
  if (!isJson(source) || source["type"] !== "base64") yield `${place}.image.source: Field required`;
  else if (!MEDIA_TYPES.has(asText(source["media_type"])))
    yield `${place}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
  else if (Buffer.from(asText(source["data"]), "base64").length === 0)
    yield `${place}.image.source.base64: image cannot be empty`;
}

function* findTextProblems(block: Json, place: string): Iterable<string> {
  const text = block["text"];
  if (typeof text !== "string" || text === "") yield `${place}: text content blocks must be non-empty`;
  else if (text.trim() === "") yield `${place}: text content blocks must contain non-whitespace text`;
}

/** Calls and results pair up, message by message. */
function* findPairProblems(messages: readonly Json[]): Iterable<string> {
  const seen = new Set<unknown>();
  let open: readonly unknown[] = [];
  for (const [at, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const results = blocks.filter(({ type }) => type === "tool_result").map((block) => block["tool_use_id"]);
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0)
      yield `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
    const stray = results.find((id) => !open.includes(id));
    if (stray !== undefined)
      yield `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${asText(stray)}`;
    if (new Set(results).size < results.length)
      yield `messages.${at}: each tool_use must have a single result`;
    const firstText = blocks.findIndex(({ type }) => type === "text" || type === "image");
    const lastResult = blocks.findLastIndex(({ type }) => type === "tool_result");
    if (firstText >= 0 && firstText < lastResult)
      yield `messages.${at}: \`tool_result\` blocks must come before text`;
    open = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    for (const id of open) {
      if (seen.has(id)) yield "messages: `tool_use` ids must be unique";
      seen.add(id);
    }
  }
}

/** A string is shorthand for one block of text. */
export function blocksOf(message: Json): readonly Json[] {
  const content = message["content"];
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
}

function countMarks(body: Json): number {
  const messages = objectsIn(body["messages"]).flatMap(blocksOf);
  const all = [...objectsIn(body["tools"]), ...objectsIn(body["system"]), ...messages];
  return all.filter((item) => "cache_control" in item).length;
}
