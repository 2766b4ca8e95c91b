import { asText, type Json, isJson, objectsIn, unknownField } from "../fake/fake-wire.ts";

/** What Chat Completions servers reject: OpenAI's own rules, and those of the templates of local models. */
export function* findProblems(body: Json): Iterable<string> {
  const extra = unknownField(body, BODY_FIELDS);
  if (extra !== undefined) yield `Unrecognized request argument supplied: ${extra}`;
  if (typeof body["model"] !== "string") yield "you must provide a model parameter";
  if (body["stream"] !== true) yield "this fake only streams";
  const most = body["max_tokens"];
  if (most !== undefined && !(typeof most === "number" && most > 0)) yield "max_tokens must be at least 1";
  yield* findToolProblems(body["tools"]);
  if (body["model"] === "plain" && "reasoning_effort" in body)
    yield "Unrecognized request argument supplied: reasoning_effort";
  const messages = objectsIn(body["messages"]);
  if (messages.length === 0) yield "[] is too short - 'messages'";
  for (const [at, message] of messages.entries()) yield* findMessageProblems(message, body, at);
  yield* findPairProblems(messages);
  yield* findOrderProblems(messages);
}

const BODY_FIELDS = [
  "model messages tools max_tokens max_completion_tokens stream stream_options",
  "temperature top_p stop seed user reasoning_effort response_format",
].flatMap((line) => line.split(" "));

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function* findToolProblems(value: unknown): Iterable<string> {
  for (const [at, tool] of objectsIn(value).entries()) {
    const called = tool["function"];
    if (tool["type"] !== "function" || !isJson(called)) yield `tools.${at}.function: Field required`;
    else if (!NAME.test(asText(called["name"]))) yield `Invalid 'tools[${at}].function.name'`;
  }
}

const MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content"],
  user: ["role", "content"],
  assistant: ["role", "content", "tool_calls"],
  tool: ["role", "content", "tool_call_id"],
};

function* findPartProblems(parts: readonly Json[], { model }: Json, at: number): Iterable<string> {
  for (const { type, text, image_url: image } of parts) {
    if (type === "image_url" && model === "blind") yield "blind is not a multimodal model";
    const isImage =
      isJson(image) && /^data:image\/(?:png|jpeg|gif|webp);base64,.+/.test(asText(image["url"]));
    if (!(type === "text" && asText(text) !== "") && !(type === "image_url" && isImage))
      yield `Invalid value for 'content' - 'messages.${at}.content'`;
  }
}

function* findMessageProblems(message: Json, body: Json, at: number): Iterable<string> {
  const role = String(message["role"]);
  const fields = MESSAGE_FIELDS[role];
  if (fields === undefined)
    yield `'${role}' is not one of ['system', 'assistant', 'user', 'tool'] - 'messages.${at}.role'`;
  const extra = unknownField(message, fields ?? []);
  if (extra !== undefined)
    yield `Additional properties are not allowed ('${extra}' was unexpected) - 'messages.${at}'`;
  const calls = objectsIn(message["tool_calls"]);
  const parts = role === "user" ? objectsIn(message["content"]) : [];
  if (parts.length > 0) yield* findPartProblems(parts, body, at);
  else if (typeof message["content"] !== "string" && !(role === "assistant" && calls.length > 0))
    yield `Invalid value for 'content': expected a string, got null. - 'messages.${at}.content'`;
  for (const call of calls) {
    const called = call["function"];
    const json = isJson(called) ? called["arguments"] : undefined;
    if (typeof json !== "string" || !isJson(parse(json)))
      yield `messages.${at}.tool_calls.function.arguments: expected a string of JSON`;
  }
}

function* findPairProblems(messages: readonly Json[]): Iterable<string> {
  let open: unknown[] = [];
  const end: Json = { role: "end" };
  for (const message of [...messages, end]) {
    if (message["role"] === "tool") {
      const id = message["tool_call_id"];
      if (!open.includes(id))
        yield "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0)
      yield `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`;
    open = objectsIn(message["tool_calls"]).map((call) => call["id"]);
    if (new Set(open).size < open.length || open.some((id) => typeof id !== "string"))
      yield "Duplicate or missing 'id' in 'tool_calls'.";
  }
}

/** Many templates throw for anything other than user, assistant, user, … */
function* findOrderProblems(messages: readonly Json[]): Iterable<string> {
  const roles = messages.map(({ role }) => role);
  if (roles.slice(1).includes("system")) yield "System message must be at the beginning.";
  const spoken = roles.filter((role) => role !== "system");
  if (spoken[0] !== "user") yield "Conversation roles must alternate user/assistant/user/assistant/...";
  if (spoken.some((role, at) => role === spoken[at + 1] && role !== "tool"))
    yield "Conversation roles must alternate user/assistant/user/assistant/...";
  if (spoken.at(-1) === "assistant") yield "Assistant response prefill is incompatible with enable_thinking.";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
