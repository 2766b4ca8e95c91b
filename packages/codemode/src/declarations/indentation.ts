const ENDLESS = 200;
const STEPS: readonly string[] = Array.from({ length: ENDLESS }, (_, level) => `\n${"  ".repeat(level)}`);

/** A line break and what stands before a line of this level; beyond any real depth it stays the same. */
export function indentation(level: number): string {
  return STEPS[Math.min(level, ENDLESS - 1)] ?? "\n";
}
