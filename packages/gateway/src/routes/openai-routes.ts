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
        summary: "A run as it is now, as a response",
        answers: { 200: json(responsesObjectSchema) },
        errors: "openai",
      },
      handle: async ({ params }) => {
        const { readResponsesObject } = await import("../openai/read-responses-object.ts");
        return ok(await readResponsesObject(deps, params["id"] ?? ""));
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
