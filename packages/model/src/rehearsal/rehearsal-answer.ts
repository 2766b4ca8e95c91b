/** What the rehearsal says, and the one call it makes; without a call the turn ends. */
export interface RehearsalAnswer {
  readonly text: string;
  readonly call?: RehearsalCall;
}

export type RehearsalCall =
  | { readonly name: "search_tools"; readonly input: { readonly query: string } }
  | { readonly name: "describe_tools"; readonly input: { readonly paths: readonly string[] } }
  | { readonly name: "run_code"; readonly input: { readonly code: string } };

/** The outcome of a program, in the words of the turn. */
export function reportProgram(result: { readonly text: string; readonly isError: boolean }): string {
  return `${result.isError ? "The program did not finish" : "The program ran to its end"}.\n\n${result.text}`;
}

/** Every answer about connecting a model has this same text. */
export const HOW_TO_CONNECT =
  "To connect a language model, open Settings, Model on Deputy's page, or run `deputy init` (from its sources: " +
  "`npx deputy init`) and restart the daemon; or set " +
  "DEPUTY_MODEL (anthropic/…, openai/… or local/…) and the key (ANTHROPIC_API_KEY or OPENAI_API_KEY).";
