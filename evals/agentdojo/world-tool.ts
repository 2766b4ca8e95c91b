import type { z } from "zod";

/** A tool over an environment that it reads and changes in place. Throws as the tool would fail. */
export type WorldTool = (environment: unknown, args: unknown) => unknown;

export function worldTool<State extends z.ZodType, Args extends z.ZodType>(
  state: State,
  args: Args,
  run: (state: z.output<State>, args: z.output<Args>) => unknown,
): WorldTool {
  return (environment, input) => {
    const read = state.parse(environment);
    const result = run(read, args.parse(input));
    // Parsed copies are written back: whatever a tool changes, the environment has.
    if (typeof environment === "object" && environment !== null) Object.assign(environment, read);
    return structuredClone(result);
  };
}
