import {
  acceptedContent,
  type CallToolResult,
  completable,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  fromJsonSchema,
  inputRequired,
  type InputRequests,
  inputResponse,
  type McpServer as Server,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { BuildServer } from "../../packages/gateway/src/mcp/build-server.ts";

/** A pixel, and no sound at all. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

/** The server that the conformance suite expects to talk to, with the tools, resources and prompts that its scenarios name. */
export const buildEverythingServer: BuildServer = ({ era }) => {
  const isLegacy = era === "legacy";
  const state = createRequestStateCodec<{ readonly round: number }>({ key: "k".repeat(32) });
  const server = new McpServer(
    { name: "everything", version: "1" },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, ...(isLegacy && { subscribe: true }) },
        completions: {},
        ...(isLegacy && { logging: {} }),
      },
      requestState: { verify: state.verify },
    },
  );
  addContentTools(server);
  addTalkingTools(server);
  if (isLegacy) addPushTools(server);
  else addRoundTripTools(server, state);
  addResources(server);
  addPrompts(server);
  if (isLegacy) {
    server.server.setRequestHandler("resources/subscribe", () => ({}));
    server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  }
  return server;
};

const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });

function addContentTools(server: Server): void {
  const tool = (name: string, result: () => CallToolResult): void =>
    void server.registerTool(name, { description: "For the suite" }, result);
  const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
  const json = {
    uri: "test://mixed-content-resource",
    mimeType: "application/json",
    text: '{"test":"data"}',
  };
  const plain = { uri: "test://embedded-resource", mimeType: "text/plain", text: "An embedded resource." };
  tool("test_simple_text", () => text("This is a simple text response for testing."));
  tool("test_image_content", () => ({ content: [image] }));
  tool("test_audio_content", () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }));
  tool("test_embedded_resource", () => ({ content: [{ type: "resource", resource: plain }] }));
  tool("test_multiple_content_types", () => ({
    content: [{ type: "text", text: "Several" }, image, { type: "resource", resource: json }],
  }));
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "For the suite", inputSchema: fromJsonSchema(RICH_SCHEMA) },
    () => text("ok"),
  );
  server.registerTool(
    "test_custom_headers",
    { description: "For the suite", inputSchema: fromJsonSchema(HEADER_SCHEMA) },
    () => text("ok"),
  );
}

const RICH_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

const HEADER_SCHEMA = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
} as const;

/** Those that say something before they answer. */
function addTalkingTools(server: Server): void {
  const tool = (name: string, run: (ctx: ServerContext) => Promise<CallToolResult>): void =>
    void server.registerTool(name, { description: "For the suite" }, run);
  const log = (ctx: ServerContext, data: string): Promise<void> =>
    ctx.mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
  tool("test_tool_with_logging", async (ctx) => {
    for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"])
      await log(ctx, said);
    return text("Logged");
  });
  tool("test_logging_tool", async (ctx) => {
    await ctx.mcpReq.log("info", "Only for those who asked for it");
    return text("Logged");
  });
  tool("test_tool_with_progress", async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
    return text("Done");
  });
}

/** How the older protocol asks: by requests of the server's. */
function addPushTools(server: Server): void {
  server.registerTool(
    "test_sampling",
    { description: "For the suite", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const messages = [{ role: "user", content: { type: "text", text: prompt } }];
      const params = { messages, maxTokens: 100 };
      const { content } = await ctx.mcpReq.send({ method: "sampling/createMessage", params });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const ask = async (ctx: ServerContext, params: ElicitRequestFormParams): Promise<CallToolResult> => {
    const said = await ctx.mcpReq.send({ method: "elicitation/create", params: { ...params } });
    return text(`Elicitation completed: action=${said.action}, content=${JSON.stringify(said.content)}`);
  };
  const form = (properties: ElicitRequestFormParams["requestedSchema"]["properties"]) =>
    ({ mode: "form", requestedSchema: { type: "object", properties } }) as const;
  const field = { type: "string" } as const;
  server.registerTool(
    "test_elicitation",
    { description: "For the suite", inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => ask(ctx, { message, ...form({ username: field, email: field }) }),
  );
  const tool = (name: string, asked: ReturnType<typeof form>): void =>
    void server.registerTool(name, { description: "For the suite" }, (ctx) =>
      ask(ctx, { message: "Please", ...asked }),
    );
  const status = { type: "string", enum: ["active", "inactive", "pending"], default: "active" } as const;
  tool(
    "test_elicitation_sep1034_defaults",
    form({
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status,
      verified: { type: "boolean", default: true },
    }),
  );
  const options = ["option1", "option2", "option3"];
  const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
  tool(
    "test_elicitation_sep1330_enums",
    form({
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled },
      legacyEnum: { type: "string", enum: options, enumNames: ["One", "Two", "Three"] },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled } },
    }),
  );
}

const askFor = (message: string, name: string) =>
  inputRequired.elicit({
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [name]: { type: "string" } }, required: [name] },
  });
const askModel = (said: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: said } }],
    maxTokens: 100,
  });

type StateCodec = ReturnType<typeof createRequestStateCodec<{ readonly round: number }>>;

/** How the newer protocol asks: in the answer. */
function addRoundTripTools(server: Server, state: StateCodec): void {
  const has = ({ mcpReq }: ServerContext, keys: readonly string[]): boolean =>
    keys.every((key) => inputResponse(mcpReq.inputResponses, key).kind !== "missing");
  const tool = (name: string, requests: InputRequests, keeps: "state" | "nothing" = "nothing"): void =>
    void server.registerTool(name, { description: "For the suite" }, async (ctx) => {
      if (has(ctx, Object.keys(requests))) return text(keeps === "state" ? "state-ok" : "Thank you");
      const requestState = keeps === "state" ? { requestState: await state.mint({ round: 1 }) } : {};
      return inputRequired({ inputRequests: requests, ...requestState });
    });
  const user_name = askFor("What is your name?", "name");
  const client_roots = inputRequired.listRoots();
  server.registerTool("test_input_required_result_elicitation", { description: "For the suite" }, (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, "user_name", z.object({ name: z.string() }));
    if (answer === undefined) return inputRequired({ inputRequests: { user_name } });
    return text(`Hello, ${answer.name}!`);
  });
  tool("test_input_required_result_sampling", { capital_question: askModel("The capital of France?") });
  tool("test_input_required_result_list_roots", { client_roots });
  const confirm = askFor("Please confirm", "ok");
  tool("test_input_required_result_request_state", { confirm }, "state");
  tool("test_input_required_result_tampered_state", { confirm }, "state");
  const greeting = askModel("Generate a greeting");
  tool("test_input_required_result_multiple_inputs", { user_name, greeting, client_roots }, "state");
  tool("test_streaming_elicitation", { user_name });
  tool("test_missing_capability", { greeting });
  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "For the suite" },
    async (ctx) => {
      const { round } = ctx.mcpReq.requestState<{ round: number }>() ?? { round: 0 };
      if (round === 2) return text("Thank you");
      const inputRequests = { [`step${round + 1}`]: askFor(`Step ${round + 1}`, "answer") };
      return inputRequired({ inputRequests, requestState: await state.mint({ round: round + 1 }) });
    },
  );
  server.registerTool("test_input_required_result_capabilities", { description: "For the suite" }, (ctx) => {
    const { sampling, elicitation } = server.server.getClientCapabilities() ?? {};
    const inputRequests = { ...(elicitation && { user_name }), ...(sampling && { greeting }) };
    const keys = Object.keys(inputRequests);
    return keys.length === 0 || has(ctx, keys) ? text("Thank you") : inputRequired({ inputRequests });
  });
}

function addResources(server: Server): void {
  const about = { description: "For the suite" };
  server.registerResource("text", "test://static-text", { ...about, mimeType: "text/plain" }, ({ href }) => ({
    contents: [
      { uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." },
    ],
  }));
  server.registerResource(
    "binary",
    "test://static-binary",
    { ...about, mimeType: "image/png" },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: "image/png", blob: PNG }],
    }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { ...about, mimeType: "application/json" },
    ({ href }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
      return { contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify(data) }] };
    },
  );
}

function addPrompts(server: Server): void {
  const says = (...parts: readonly { type: "text"; text: string }[]) => ({
    messages: parts.map((content) => ({ role: "user" as const, content })),
  });
  const description = "For the suite";
  server.registerPrompt("test_simple_prompt", { description }, () =>
    says({ type: "text", text: "This is a simple prompt for testing." }),
  );
  const suggested = completable(z.string(), (value) =>
    ["paris", "park", "party"].filter((one) => one.startsWith(value)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description, argsSchema: z.object({ arg1: suggested, arg2: z.string() }) },
    ({ arg1, arg2 }) => says({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: "user",
          content: { type: "resource", resource: { uri, mimeType: "text/plain", text: "Embedded." } },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description }, ({ mcpReq }) => {
    const said = acceptedContent(mcpReq.inputResponses, "user_context", z.object({ context: z.string() }));
    if (said !== undefined) return says({ type: "text", text: said.context });
    return inputRequired({ inputRequests: { user_context: askFor("Which context?", "context") } });
  });
}
