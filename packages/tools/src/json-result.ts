/** A larger result would fit neither the sandbox nor the journal. */
export const LARGEST_RESULT_CHARS = 8 * 1024 * 1024;

/**
 * What a call gave, as JSON already: a tool that runs elsewhere gives this in place of a value. `text` is absent
 * where there is no JSON form (`chars` is 0), or where it has more than `LARGEST_RESULT_CHARS`.
 */
export class JsonResult {
  readonly text: string | undefined;
  readonly chars: number;

  constructor(text: string | undefined, chars: number) {
    this.text = text;
    this.chars = chars;
  }
}
