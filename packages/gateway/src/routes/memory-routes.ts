import {
  memoryFoundSchema,
  memorySearchSchema,
  type MemoryFound,
  type MemoryReport,
  memoryStatusSchema,
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
}

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
  ];
}
