import type { CodedError } from "@deputy/kit";

/**
 * For a command that has the home to itself: once its log has failed nothing can be kept, so it says so and ends.
 * `end` is for those that would wait for the user to say more; the others end with the turn that broke off. A daemon
 * opens the log anew instead (`serve/keep-serving.ts`).
 */
export function endOnFailure(
  tell: (text: string) => void,
  end: () => void = () => undefined,
): (error: CodedError<string>) => void {
  return (error) => {
    tell(
      `${error.message} (${error.code}). Nothing more can be kept, so this ends. Check the disk, then start it again: what was interrupted goes on.`,
    );
    end();
  };
}
