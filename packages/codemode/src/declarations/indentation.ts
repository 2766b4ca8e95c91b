const ENDLESS = 200;
const STEPS: readonly string[] = Array.from({ length: ENDLESS }, (_, level) => `\n${"  ".repeat(level)}`);

/** A line break and the indentation of this level, which stops growing beyond any real depth. */
export function indentation(level: number): string {
  return STEPS[Math.min(level, ENDLESS - 1)] ?? "\n";
}
