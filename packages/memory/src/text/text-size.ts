/** A token of a model is about four characters of a word, or one character of Chinese, Japanese or Korean. */
const CHARS_PER_TOKEN = 4;
const WHOLE_TOKEN = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[\ud840-\ud87f][\udc00-\udfff]/g;

/** How many tokens a text has, roughly, and without a model. */
export function tokensIn(text: string): number {
  const whole = text.match(WHOLE_TOKEN)?.length ?? 0;
  return whole + (text.length - whole) / CHARS_PER_TOKEN;
}
