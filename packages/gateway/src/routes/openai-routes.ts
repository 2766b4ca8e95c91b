import type { Clock } from "@deputy/kit";
import {
  chatChunkSchema,
  chatCompletionSchema,
  chatRequestSchema,
  modelItemSchema,
  modelListSchema,
  responsesEventSchema,
  responsesObjectSchema,
  responsesRequestSchema,
} from "@deputy/protocol/openai";
import type { OpenAiDeps } from "../openai/start-run.ts";
import { GatewayError } from "../gateway-error.ts";
import { ok, type Route } from "../route.ts";
import { events, json } from "../route-doc.ts";
import { validate } from "../validate.ts";

/** A photo or two as base64; providers take no larger ones. */
const PICTURES_BYTES = 6_000_000;

/** Routes for clients of OpenAI's API: each agent is a model. The code is loaded on first use. */
export function openAiRoutes(deps: OpenAiDeps & { readonly clock: Clock }): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/models",
      auth: "bearer",
      doc: { summary: "The agents, as models", answers: { 200: json(modelListSchema) }, errors: "openai" },
      handle: async ({ ends }) => {
        const { slugs } = await deps.agents.list(ends());
        return ok({ object: "list", data: slugs.map(modelOf) });
      },
    },
    {
      method: "GET",
      path: "/v1/models/:model",
      auth: "bearer",
      doc: { summary: "An agent, as a model", answers: { 200: json(modelItemSchema) }, errors: "openai" },
      handle: async ({ params, ends }) => {
        const { readModel } = await import("../openai/start-run.ts");
        const model = params["model"] ?? "";
        await readModel(deps, model, ends());
        return ok(modelOf(model));
      },
    },
    {
      method: "GET",
      path: "/v1/responses/:id",
      auth: "bearer",
      doc: {
        summary: "A run as it is now, as a response; with `stream=true`, from its beginning on",
        query: { stream: { description: "Its events, until it has ended", pattern: "^(true|false)$" } },
        answers: { 200: [...json(responsesObjectSchema), ...events(responsesEventSchema)] },
        errors: "openai",
      },
      handle: async ({ params, query, ends }) => {
        const { readResponsesObject, streamResponse } = await import("../openai/read-responses-object.ts");
        const id = params["id"] ?? "";
        if (query.get("stream") !== "true") return ok(await readResponsesObject(deps, id));
        if (query.has("starting_after"))
          throw new GatewayError(
            "invalid_request",
            "starting_after: a response is streamed from its beginning",
          );
        return { kind: "event_stream", frames: await streamResponse(deps, id, ends()) };
      },
    },
    {
      method: "POST",
      path: "/v1/chat/completions",
      auth: "bearer",
      bodyBytes: PICTURES_BYTES,
      doc: {
        summary: "Send a message to an agent; `metadata.session` continues a session",
        body: chatRequestSchema,
        answers: { 200: [...json(chatCompletionSchema), ...events(chatChunkSchema)] },
        errors: "openai",
      },
      handle: async (request) => {
        const body = validate(chatRequestSchema, request.body);
        const { answerChat } = await import("../openai/answer-chat.ts");
        return await answerChat(deps, body, request);
      },
    },
    {
      method: "POST",
      path: "/v1/responses",
      auth: "bearer",
      bodyBytes: PICTURES_BYTES,
      doc: {
        summary: "Send a message to an agent; `previous_response_id` continues after a run",
        body: responsesRequestSchema,
        answers: { 200: [...json(responsesObjectSchema), ...events(responsesEventSchema)] },
        errors: "openai",
      },
      handle: async (request) => {
        const body = validate(responsesRequestSchema, request.body);
        const { answerResponses } = await import("../openai/answer-responses.ts");
        return await answerResponses(deps, body, request);
      },
    },
  ];
}

const modelOf = (id: string) => ({ id, object: "model", created: 0, owned_by: "deputy" });
