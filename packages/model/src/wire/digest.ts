/**
 * A short fingerprint of everything added so far. It tells whether two prompts are equal, but does not
 * protect against someone who wants them to look equal.
 */
export function digest(before: string, text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  const whole = `${before}\n${text}`;
  for (let at = 0; at < whole.length; at++) {
    const unit = whole.charCodeAt(at);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
