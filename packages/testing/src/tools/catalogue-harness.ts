import type { TypeChecker } from "@deputy/codemode";
import type { Catalogue, CatalogueTool, ToolContext } from "@deputy/tools";
import type { SeedTool } from "./seed-tools.ts";

export interface CatalogueHarness {
  /** A catalogue of exactly these tools. May reject tools that it cannot accept. */
  readonly open: (tools: readonly SeedTool[]) => Catalogue | Promise<Catalogue>;
  /** What the declarations must satisfy; disposed at the end. */
  readonly createTypeChecker: () => TypeChecker;
}

export function contextWith(signal: AbortSignal): ToolContext {
  return {
    signal,
    idempotencyKey: "key",
    sessionKey: "session",
    approvedBy: "user",
    progress: () => undefined,
    log: () => undefined,
  };
}

/** The tool at a path, which must exist. */
export function toolAt(catalogue: Catalogue, path: string): CatalogueTool {
  const tool = catalogue.get(path);
  if (tool === undefined) throw new Error(`The catalogue has no ${path}`);
  return tool;
}

/** Everything a tool declares. */
export function factsOf(tool: CatalogueTool | undefined): unknown {
  if (tool === undefined) return undefined;
  const { path, description, approval, effect, idempotent, critical, inputSchema, outputSchema } = tool;
  return { path, description, approval, effect, idempotent, critical, inputSchema, outputSchema };
}
