/** A number of 64 bits: a plain number while it is exact, otherwise a BigInt. */
export type Value = number | bigint;

const big = (value: Value): bigint => (typeof value === "bigint" ? value : BigInt(value));

/** A BigInt cut to 64 bits, as a plain number if it fits. */
export function wrap(value: bigint): Value {
  const cut = BigInt.asIntN(64, value);
  return cut >= -9007199254740991n && cut <= 9007199254740991n ? Number(cut) : cut;
}

/** Two numbers and an operator; division by zero is the caller's to notice. */
export function compute(operator: string, a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") {
    const quick = computeSmall(operator, a, b);
    if (quick !== undefined) return quick;
  }
  return computeBig(operator, big(a), big(b));
}

function computeSmall(operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case "+":
      return safe(a + b);
    case "-":
      return safe(a - b);
    case "*":
      return safe(a * b);
    case "/":
      return Math.trunc(a / b) + 0;
    case "%":
      return (a % b) + 0;
    case "<":
      return a < b ? 1 : 0;
    case ">":
      return a > b ? 1 : 0;
    case "<=":
      return a <= b ? 1 : 0;
    case ">=":
      return a >= b ? 1 : 0;
    case "==":
      return a === b ? 1 : 0;
    case "!=":
      return a === b ? 0 : 1;
    case "&":
      return isShort(a) && isShort(b) ? a & b : undefined;
    case "|":
      return isShort(a) && isShort(b) ? a | b : undefined;
    case "^":
      return isShort(a) && isShort(b) ? a ^ b : undefined;
    case "<<":
      return b >= 0 && b < 64 ? safe(a * 2 ** b) : undefined;
    case ">>":
      return isShort(a) && b >= 0 && b < 32 ? a >> b : undefined;
    case "**":
      return safe(a ** b);
    default:
      return undefined;
  }
}

const safe = (value: number): number | undefined => (Number.isSafeInteger(value) ? value + 0 : undefined);
const isShort = (value: number): boolean => value === (value | 0);

function computeBig(operator: string, a: bigint, b: bigint): Value {
  switch (operator) {
    case "+":
      return wrap(a + b);
    case "-":
      return wrap(a - b);
    case "*":
      return wrap(a * b);
    case "/":
      return wrap(a / b);
    case "%":
      return wrap(a % b);
    case "<":
      return a < b ? 1 : 0;
    case ">":
      return a > b ? 1 : 0;
    case "<=":
      return a <= b ? 1 : 0;
    case ">=":
      return a >= b ? 1 : 0;
    case "==":
      return a === b ? 1 : 0;
    case "!=":
      return a === b ? 0 : 1;
    case "&":
      return wrap(a & b);
    case "|":
      return wrap(a | b);
    case "^":
      return wrap(a ^ b);
    case "<<":
      return wrap(a << (b & 63n));
    case ">>":
      return wrap(a >> (b & 63n));
    case "**":
      return power(a, b);
    default:
      throw new Error(`no operator ${operator}`);
  }
}

function power(base: bigint, exponent: bigint): Value {
  let result = 1n;
  let factor = base;
  let left = exponent;
  while (left > 0n) {
    if ((left & 1n) === 1n) result = BigInt.asIntN(64, result * factor);
    factor = BigInt.asIntN(64, factor * factor);
    left >>= 1n;
  }
  return wrap(result);
}

export function negate(value: Value): Value {
  return typeof value === "number" ? 0 - value : wrap(-value);
}

export function invert(value: Value): Value {
  return typeof value === "number" && isShort(value) ? ~value : wrap(~big(value));
}

export const isTrue = (value: Value): boolean => (typeof value === "number" ? value !== 0 : value !== 0n);

/** `12`, `0x1f`, `017`, `2#101`; undefined if the digits do not fit the base, with a reason. */
export function parseNumber(
  text: string,
): Value | "value too great for base" | "invalid number" | "invalid arithmetic base" {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  const based = /^(\d+)#(.*)$/.exec(text);
  if (based !== null) {
    const base = Number(based[1]);
    if (base < 2 || base > 64) return "invalid arithmetic base";
    if (based[2] === "") return "invalid number";
    return parseDigits(based[2] ?? "", base);
  }
  if (/^0[xX]/.test(text)) return parseDigits(text.slice(2), 16);
  if (text.startsWith("0")) return parseDigits(text, 8);
  return parseDigits(text, 10);
}

function parseDigits(text: string, base: number): Value | "value too great for base" {
  let value = 0n;
  for (const char of text) {
    const digit = digitOf(char, base);
    if (digit < 0 || digit >= base) return "value too great for base";
    value = value * BigInt(base) + BigInt(digit);
  }
  return wrap(value);
}

function digitOf(char: string, base: number): number {
  const code = char.charCodeAt(0);
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 122) return code - 87;
  if (code >= 65 && code <= 90) return base <= 36 ? code - 55 : code - 29;
  if (char === "@") return 62;
  return char === "_" ? 63 : -1;
}
