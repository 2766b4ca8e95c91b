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
  /**
   * How many messages had been written when the user last declined a call of this tool with all of these values, or one
   * of which this has all, and more.
   */
  find(toolPath: string, values: readonly DecisiveValue[]): number | undefined;
}

interface DeclinedCall {
  readonly values: ReadonlySet<string>;
  /** The values of each argument, as they were given. */
  readonly wholes: ReadonlyMap<string, readonly string[]>;
  readonly messages: number;
}

export function createDeclinedCalls(): DeclinedCalls {
  const calls = new Map<string, DeclinedCall[]>();
  return {
    add(toolPath, input, messages) {
      const values = new Set(
        inputLeaves(input, () => true).flatMap(({ argument, value }) =>
          // Of a list of ids in one text, each is a value.
          [value, ...String(value).split(/[\s,;]+/)].map((one) => keyOf(argument, one)),
        ),
      );
      const wholes = new Map<string, string[]>();
      for (const { argument, value } of inputLeaves(input, () => true))
        wholes.set(argument, [...(wholes.get(argument) ?? []), keyOf(argument, value)]);
      calls.set(toolPath, [...(calls.get(toolPath) ?? []), { values, wholes, messages }]);
    },
    find: (toolPath, values) =>
      calls.get(toolPath)?.findLast((call) => {
        const keys = new Set(values.map(({ argument, value }) => keyOf(argument, value)));
        if ([...keys].every((key) => call.values.has(key))) return true;
        const decisive = values.flatMap(({ argument }) => call.wholes.get(argument) ?? []);
        return decisive.length > 0 && decisive.every((key) => keys.has(key));
      })?.messages,
  };
}

function keyOf(argument: string, value: string | number | boolean): string {
  return JSON.stringify([argument, String(value).trim().toLowerCase()]);
}
