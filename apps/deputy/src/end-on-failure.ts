import type { CodedError } from "@deputy/kit";

/**
 * For a command that holds the home's lock: once its log has failed nothing can be stored, so the command says so and
 * ends. `end` is for commands that would wait for the user's next input; the others end with the turn that broke off.
 * A daemon opens the log again instead (`serve/keep-serving.ts`).
 */
export function endOnFailure(
  tell: (text: string) => void,
  end: () => void = () => undefined,
): (error: CodedError<string>) => void {
  return (error) => {
    tell(
      `${error.message} (${error.code}). Nothing more can be stored, so this ends. Check the disk, then start it again: interrupted work continues.`,
    );
    end();
  };
}
