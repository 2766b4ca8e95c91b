import { CodedError } from "@deputy/kit";
import type { CatalogueTool, ToolContext } from "@deputy/tools";
import type { Receipt } from "./receipt.ts";

type Outcome = Pick<Receipt, "status" | "resultJson" | "error">;

/** Runs a tool that may run and says how it ended; never rejects. */
export async function runTool(tool: CatalogueTool, input: unknown, context: ToolContext): Promise<Outcome> {
  try {
    const value = await tool.run(input, context);
    return { status: "succeeded", resultJson: JSON.stringify(value ?? null) };
  } catch (error) {
    if (context.signal.aborted && tool.effect !== "read") {
      // It was under way when it was told to stop: nobody can say from here whether it took effect.
      return {
        status: "unknown",
        error: { code: "unknown", message: "Stopped while running; its outcome is unknown." },
      };
    }
    return { status: "failed", error: describe(error) };
  }
}

function describe(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof CodedError) return { code: String(error.code), message: error.message };
  if (error instanceof Error) return { code: "tool_failed", message: error.message };
  return {
    code: "tool_failed",
    message: typeof error === "string" ? error : "The tool failed without a message.",
  };
}
