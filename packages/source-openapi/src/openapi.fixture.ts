import { createFakeClock, type FakeClock } from "@deputy/testing";
import { type Answer, openSpecServer, type SpecServer } from "@deputy/testing/openapi";
import { onTestFinished } from "vitest";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { createCatalogue } from "@deputy/tools";
import type { ToolContext } from "@deputy/tools";
import { openApiSource, type OpenApiOptions } from "./openapi-source.ts";
import type { HttpDoors } from "./request/http-doors.ts";

type Json = Readonly<Record<string, unknown>>;

/** A document of these paths. */
export function documentOf(paths: Json, more: Json = {}): Json {
  return { openapi: "3.1.0", info: { title: "Test", version: "1" }, paths, ...more };
}

export interface Opened {
  readonly catalogue: Catalogue;
  readonly clock: FakeClock;
  readonly secrets: readonly string[];
  readonly logs: readonly string[];
  readonly progress: readonly string[];
  tool(path: string): CatalogueTool;
  /** Checks the input as the gate does, then calls. */
  call(path: string, input?: unknown, signal?: AbortSignal): Promise<unknown>;
}

/** The tools of a document named `api`, over the real fetch unless others are given. */
export function openTools(document: unknown, options: OpenApiOptions = {}, doors?: HttpDoors): Opened {
  const clock = createFakeClock();
  const [secrets, logs, progress] = [[] as string[], [] as string[], [] as string[]];
  const deps = {
    doors: doors ?? { named: fetch, others: fetch },
    clock,
    learnSecret: (value: string) => void secrets.push(value),
  };
  const catalogue = createCatalogue([openApiSource(document, { name: "api", ...options }, deps)]);
  const tool = (path: string): CatalogueTool => {
    const found = catalogue.get(`api.${path}`);
    if (found === undefined)
      throw new Error(
        `There is no ${path} among ${catalogue
          .list()
          .map((one) => one.path)
          .join(" ")}`,
      );
    return found;
  };
  return {
    catalogue,
    clock,
    secrets,
    logs,
    progress,
    tool,
    async call(path, input, signal = new AbortController().signal) {
      const found = tool(path);
      const parsed = await found.parseInput(input);
      if (parsed.kind === "invalid") throw new Error(`refused: ${parsed.message}`);
      const context: ToolContext = {
        signal,
        idempotencyKey: "key",
        sessionKey: "session",
        approvedBy: "user",
        progress: (message) => void progress.push(message),
        log: (message) => void logs.push(message),
      };
      return await found.run(parsed.input, context);
    },
  };
}

/** A server that judges requests by the document, and the document's tools against it. */
export async function openWorld(
  document: unknown,
  options: OpenApiOptions & { readonly answer?: Answer } = {},
): Promise<Opened & { readonly server: SpecServer }> {
  const { answer, ...rest } = options;
  const server = await openSpecServer(document, answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { ...openTools(document, { server: server.url, ...rest }), server };
}
