import { inputLeaves } from "./input-leaves.ts";
import type { ArgumentPlace } from "./kinds/kind.ts";

/** A value of a call that decides who or what is affected. */
export interface DecisiveValue {
  /** The top-level argument. */
  readonly argument: string;
  readonly value: string | number | boolean;
  readonly place: ArgumentPlace;
}

/** The calls to which the user said no, each with how many messages they had written by then. */
export interface DeclinedCalls {
  add(toolPath: string, input: unknown, messages: number): void;
  /** How many messages had been written when the user last declined a call of this tool with all of these values. */
  find(toolPath: string, values: readonly DecisiveValue[]): number | undefined;
}

export function createDeclinedCalls(): DeclinedCalls {
  const calls = new Map<string, { readonly values: ReadonlySet<string>; readonly messages: number }[]>();
  return {
    add(toolPath, input, messages) {
      const values = new Set(
        inputLeaves(input, () => true).flatMap(({ argument, value }) =>
          // Of a list of ids in one text, each is a value.
          [value, ...String(value).split(/[\s,;]+/)].map((one) => keyOf(argument, one)),
        ),
      );
      calls.set(toolPath, [...(calls.get(toolPath) ?? []), { values, messages }]);
    },
    find: (toolPath, values) =>
      calls
        .get(toolPath)
        ?.findLast((call) => values.every(({ argument, value }) => call.values.has(keyOf(argument, value))))
        ?.messages,
  };
}

function keyOf(argument: string, value: string | number | boolean): string {
  return JSON.stringify([argument, String(value).trim().toLowerCase()]);
}
