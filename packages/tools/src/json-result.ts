/** A larger result would fit neither the sandbox nor the journal. */
export const LARGEST_RESULT_CHARS = 8 * 1024 * 1024;

/**
 * The result of a call as JSON text: a tool that runs in another process gives this in place of a value. `text` is
 * absent when the value has no JSON form (`chars` is 0), or when it is longer than `LARGEST_RESULT_CHARS`.
 */
export class JsonResult {
  readonly text: string | undefined;
  readonly chars: number;

  constructor(text: string | undefined, chars: number) {
    this.text = text;
    this.chars = chars;
  }
}
