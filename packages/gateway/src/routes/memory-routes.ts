import type { SessionId } from "@deputy/kit";
import {
  memoryChangedSchema,
  type MemoryChanges,
  memoryChangesQuerySchema,
  memoryChangesSchema,
  type MemoryDocument,
  memoryDocumentSchema,
  type MemoryDocuments,
  memoryDocumentsSchema,
  type MemoryEdit,
  memoryEditSchema,
  type MemoryForget,
  memoryForgetSchema,
  type MemoryForgotten,
  memoryForgottenSchema,
  type MemoryFound,
  memoryFoundSchema,
  type MemoryIndexed,
  memoryIndexedSchema,
  memoryIndexSchema,
  memoryListSchema,
  memoryRecalledQuerySchema,
  memoryRecalledSchema,
  type MemoryRecalledTurns,
  type MemoryReport,
  memorySearchSchema,
  memoryShowSchema,
  memoryStatusSchema,
  memoryUndoSchema,
  type MemoryUndone,
  memoryUndoneSchema,
} from "@deputy/protocol/wire";
import { GatewayError } from "../gateway-error.ts";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";
import { validate } from "../validate.ts";

/** What was written down and said before. All reject as the memory does. */
export interface MemoryDoor {
  search(
    request: {
      readonly query: string;
      readonly agent?: string | undefined;
      readonly limit?: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<MemoryFound>;
  status(signal: AbortSignal): Promise<MemoryReport>;
  /** Resolves when everything is indexed; it goes on when its client leaves. */
  index(signal: AbortSignal): Promise<MemoryIndexed>;
  list(request: OfAgent, signal: AbortSignal): Promise<MemoryDocuments>;
  show(request: OfAgent & { readonly path: string }, signal: AbortSignal): Promise<MemoryDocument>;
  edit(request: MemoryEdit, by: string, signal: AbortSignal): Promise<{ readonly changeId: string }>;
  /** What the model was shown in a session. */
  recalled(request: { readonly session: SessionId }, signal: AbortSignal): Promise<MemoryRecalledTurns>;
  changes(request: { readonly limit?: number | undefined }): Promise<MemoryChanges>;
  undo(request: { readonly changeId: string }, by: string, signal: AbortSignal): Promise<MemoryUndone>;
  forget(request: MemoryForget, by: string, signal: AbortSignal): Promise<MemoryForgotten>;
}

interface OfAgent {
  readonly agent?: string | undefined;
}

/** What changes something goes on when its client leaves: half of it would have to wait for the next start. */
const WHOLE = new AbortController().signal;

export function memoryRoutes({ memory }: { readonly memory?: MemoryDoor | undefined }): readonly Route[] {
  const door = (): MemoryDoor => {
    if (memory !== undefined) return memory;
    throw new GatewayError("not_available", "Memory is not available here");
  };
  return [
    {
      method: "GET",
      path: "/api/memory/search",
      auth: "bearer",
      doc: {
        summary: "Notes and conversations that fit ?query=, the best first; for ?agent=, at most ?limit=",
        answers: { 200: json(memoryFoundSchema) },
      },
      handle: async ({ query, ends }) => {
        const { limit, ...request } = validate(memorySearchSchema, Object.fromEntries(query));
        const most = limit === undefined ? {} : { limit: Number(limit) };
        return ok(await door().search({ ...request, ...most }, ends()));
      },
    },
    {
      method: "GET",
      path: "/api/memory/status",
      auth: "bearer",
      doc: { summary: "What is remembered, and how", answers: { 200: json(memoryStatusSchema) } },
      handle: async ({ ends }) => ok(await door().status(ends())),
    },
    {
      method: "POST",
      path: "/api/memory/index",
      auth: "bearer",
      doc: {
        summary: "Brings the index up to date, and answers when the meaning of everything is indexed, too",
        body: memoryIndexSchema,
        answers: { 200: json(memoryIndexedSchema) },
      },
      handle: async ({ body, ends }) => {
        validate(memoryIndexSchema, body);
        return ok(await door().index(ends()));
      },
    },
    {
      method: "GET",
      path: "/api/memory/documents",
      auth: "bearer",
      doc: {
        summary: "All notes, files and conversations that ?agent= can find",
        answers: { 200: json(memoryDocumentsSchema) },
      },
      handle: async ({ query, ends }) =>
        ok(await door().list(validate(memoryListSchema, Object.fromEntries(query)), ends())),
    },
    {
      method: "GET",
      path: "/api/memory/document",
      auth: "bearer",
      doc: {
        summary: "One document by its ?path=, piece by piece, and the file itself if it can be edited",
        answers: { 200: json(memoryDocumentSchema) },
      },
      handle: async ({ query, ends }) =>
        ok(await door().show(validate(memoryShowSchema, Object.fromEntries(query)), ends())),
    },
    {
      method: "POST",
      path: "/api/memory/document",
      auth: "bearer",
      doc: {
        summary: "Writes a note as you edited it, unless it has changed meanwhile",
        body: memoryEditSchema,
        answers: { 200: json(memoryChangedSchema) },
      },
      handle: async ({ body, caller }) =>
        ok(await door().edit(validate(memoryEditSchema, body), caller.name, WHOLE)),
    },
    {
      method: "GET",
      path: "/api/memory/recalled",
      auth: "bearer",
      doc: {
        summary: "What the model was shown of the memory in ?session=, and why",
        answers: { 200: json(memoryRecalledSchema) },
      },
      handle: async ({ query, ends }) =>
        ok(await door().recalled(validate(memoryRecalledQuerySchema, Object.fromEntries(query)), ends())),
    },
    {
      method: "GET",
      path: "/api/memory/changes",
      auth: "bearer",
      doc: {
        summary: "What was written into notes last, at most ?limit=",
        answers: { 200: json(memoryChangesSchema) },
      },
      handle: async ({ query }) => {
        const { limit } = validate(memoryChangesQuerySchema, Object.fromEntries(query));
        return ok(await door().changes(limit === undefined ? {} : { limit: Number(limit) }));
      },
    },
    {
      method: "POST",
      path: "/api/memory/undo",
      auth: "bearer",
      doc: {
        summary: "Takes a change of a note back",
        body: memoryUndoSchema,
        answers: { 200: json(memoryUndoneSchema) },
      },
      handle: async ({ body, caller }) =>
        ok(await door().undo(validate(memoryUndoSchema, body), caller.name, WHOLE)),
    },
    {
      method: "POST",
      path: "/api/memory/forget",
      auth: "bearer",
      doc: {
        summary:
          "Forgets for good what fits, and says what was removed and what stays; `dryRun` only says so",
        body: memoryForgetSchema,
        answers: { 200: json(memoryForgottenSchema) },
      },
      handle: async ({ body, caller }) =>
        ok(await door().forget(validate(memoryForgetSchema, body), caller.name, WHOLE)),
    },
  ];
}
