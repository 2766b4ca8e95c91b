import { decodeBytes, joinBytes, sliceChars, countChars, encodeText } from "../text/bytes.ts";
import { unescapeText } from "../text/escapes.ts";
import { quoteBackslash } from "../text/quote.ts";
import type { Shell } from "../run/shell.ts";
import { AssignProblem, assignText, dynamicReference, parseReference } from "../variables/assign.ts";
import { type Builtin, type BuiltinTable, refuse, say } from "./builtin.ts";
import { formatDate } from "../text/strftime.ts";

const SPEC = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?([hlLjzt]*)(?:\(([^)]*)\)(T)|([a-zA-Z%]))?/g;

const printf: Builtin = (shell, words) => {
  let args = words.slice(1);
  let target: string | undefined;
  if (args[0] === "-v") {
    target = args[1];
    args = args.slice(2);
    if (target === undefined || parseReference(target) === undefined) {
      return refuse(shell, "printf", `\`${target ?? ""}': not a valid identifier`, 2);
    }
  } else if (args[0] === "--") args = args.slice(1);
  else if (/^-./.test(args[0] ?? "")) {
    shell.complain(`printf: ${(args[0] ?? "").slice(0, 2)}: invalid option`);
    shell.writeError("printf: usage: printf [-v var] format [arguments]\n");
    return 2;
  }
  const [format] = args;
  if (format === undefined) {
    shell.writeError("printf: usage: printf [-v var] format [arguments]\n");
    return 2;
  }
  const printer = new Printer(shell, format, args.slice(1));
  printer.run();
  if (target === undefined) return say(shell, printer.text, printer.status);
  const reference = dynamicReference(shell, target);
  try {
    if (reference !== undefined)
      assignText(shell, reference.name, reference.subscript, printer.text, "replace");
  } catch (error) {
    if (!(error instanceof AssignProblem)) throw error;
    shell.complain(error.message);
    return 1;
  }
  return printer.status;
};

/** A date that does not fit into this many bytes is nothing at all. */
const LONGEST_DATE = 128;

/** What C makes of a number that is too large. */
function clamp(value: bigint, kind: "signed" | "unsigned"): bigint {
  if (kind === "unsigned") {
    const most = (1n << 64n) - 1n;
    if (value > most || value < -most) return most;
    return value < 0n ? BigInt.asUintN(64, value) : value;
  }
  const most = (1n << 63n) - 1n;
  if (value > most) return most;
  return value < -most - 1n ? -most - 1n : value;
}

/** The number of the character behind a quote; a byte that belongs to no character is itself. */
function codeOf(text: string): number {
  const code = text.codePointAt(1) ?? 0;
  return code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
}

class Printer {
  readonly #shell: Shell;
  readonly #format: string;
  readonly #args: readonly string[];
  #at = 0;
  #stopped = false;
  text = "";
  status = 0;

  constructor(shell: Shell, format: string, args: readonly string[]) {
    this.#shell = shell;
    this.#format = format;
    this.#args = args;
  }

  run(): void {
    do {
      const before = this.#at;
      this.#once();
      if (this.#stopped || this.#at === before) break;
    } while (this.#at < this.#args.length);
    this.text = joinBytes(this.text);
  }

  #once(): void {
    let last = 0;
    for (const match of this.#format.matchAll(SPEC)) {
      this.text += unescapeText(this.#format.slice(last, match.index), "format").text;
      last = match.index + match[0].length;
      this.#one(match);
      if (this.#stopped) return;
    }
    this.text += unescapeText(this.#format.slice(last), "format").text;
  }

  #next(): string | undefined {
    const value = this.#args[this.#at];
    this.#at += 1;
    return value;
  }

  #number(text: string | undefined, kind: "signed" | "unsigned" = "signed"): number | bigint {
    if (text === undefined || text === "") return 0;
    const first = text.charAt(0);
    if (first === "'" || first === '"') return codeOf(text);
    const match = /^\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text);
    if (match === null || match[0].length !== text.length) {
      this.#shell.complain(`printf: ${text}: invalid ${/^\s*[+-]?0\d/.test(text) ? "octal " : ""}number`);
      this.status = 1;
      if (match === null) return 0;
    }
    const digits = match?.[2] ?? "0";
    const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
    const signed = match?.[1] === "-" ? -value : value;
    if (Number.isSafeInteger(Number(signed))) return Number(signed);
    return clamp(signed, kind);
  }

  #one(match: RegExpMatchArray): void {
    const [whole, flags = "", widthText, precisionText, , dateFormat, dateLetter, letterText] = match;
    const letter = dateLetter ?? letterText;
    if (letter === "%") {
      this.text += "%";
      return;
    }
    let left = flags.includes("-");
    let width = widthText === "*" ? Number(this.#number(this.#next())) : Number(widthText ?? 0);
    if (width < 0) {
      left = true;
      width = -width;
    }
    let precision: number | undefined =
      precisionText === undefined
        ? undefined
        : precisionText === "*"
          ? Number(this.#number(this.#next()))
          : Number(precisionText);
    if (precision !== undefined && precision < 0) precision = undefined;
    const pad = (body: string, zero: boolean): void => {
      const size = zero ? body.length : countChars(body);
      const missing = Math.max(0, width - (zero ? size : encodeText(body).length));
      if (missing === 0) this.text += body;
      else if (left) this.text += body + " ".repeat(missing);
      else if (zero) {
        const sign = /^(?:[+ -]?0[xX]|[+ -])/.exec(body)?.[0] ?? "";
        this.text += sign + "0".repeat(missing) + body.slice(sign.length);
      } else this.text += " ".repeat(missing) + body;
    };
    switch (letter) {
      case "s":
      case "q":
      case "Q":
      case "b": {
        const value = this.#next() ?? "";
        let body = value;
        if (letter === "b") {
          const plain = unescapeText(value, "printf-b");
          body = plain.text;
          this.#stopped = plain.stop;
        } else if (letter !== "s") body = quoteBackslash(value);
        if (precision !== undefined) body = sliceChars(body, 0, precision);
        pad(body, false);
        return;
      }
      case "c":
        pad(decodeBytes(encodeText(this.#next() ?? "").subarray(0, 1)), false);
        return;
      case "d":
      case "i":
      case "u":
      case "o":
      case "x":
      case "X":
        pad(
          integer(
            this.#number(this.#next(), "uxXo".includes(letter) ? "unsigned" : "signed"),
            letter,
            flags,
            precision,
          ),
          flags.includes("0") && precision === undefined && !left,
        );
        return;
      case "e":
      case "E":
      case "f":
      case "F":
      case "g":
      case "G":
      case "a":
      case "A": {
        const text = this.#next();
        pad(float(this.#float(text), letter, flags, precision ?? 6), flags.includes("0") && !left);
        return;
      }
      case "T": {
        const value = this.#next();
        const seconds =
          value === undefined || value === "-1"
            ? this.#shell.runtime.now() / 1000
            : value === "-2"
              ? this.#shell.runtime.startedMs / 1000
              : Number(value);
        const zone = this.#shell.variables.find("TZ");
        const date = formatDate(
          dateFormat === "" ? "%X" : (dateFormat ?? "%X"),
          seconds,
          (zone?.exported === true ? zone.text : undefined) ?? "UTC",
        );
        const most = precision ?? date.length;
        if (date.length < LONGEST_DATE) pad(date.slice(0, most), false);
        return;
      }
      case undefined:
        this.#shell.complain("printf: `%': missing format character");
        this.status = 1;
        this.#stopped = true;
        return;
      default:
        this.#shell.complain(`printf: \`${whole.slice(-1)}': invalid format character`);
        this.status = 1;
        this.#stopped = true;
    }
  }

  #float(text: string | undefined): number {
    if (text === undefined || text === "") return 0;
    if (/^['"]/.test(text)) return text.codePointAt(1) ?? 0;
    const value = /^[+-]?0[xX]/.test(text) ? Number(this.#number(text)) : Number(text);
    if (Number.isNaN(value) && !/^[+-]?nan$/i.test(text)) {
      if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
      this.#shell.complain(`printf: ${text}: invalid number`);
      this.status = 1;
      return Number.parseFloat(text) || 0;
    }
    return value;
  }
}

function integer(
  value: number | bigint,
  letter: string,
  flags: string,
  precision: number | undefined,
): string {
  const isSigned = letter === "d" || letter === "i";
  const unsigned = !isSigned && value < 0 ? BigInt.asUintN(64, BigInt(value)) : value;
  const base = letter === "o" ? 8 : letter === "x" || letter === "X" ? 16 : 10;
  let digits = (unsigned < 0 ? -BigInt(unsigned) : BigInt(unsigned)).toString(base);
  if (letter === "X") digits = digits.toUpperCase();
  if (precision !== undefined)
    digits = precision === 0 && digits === "0" ? "" : digits.padStart(precision, "0");
  if (flags.includes("#") && base === 16 && digits !== "0") digits = (letter === "X" ? "0X" : "0x") + digits;
  if (flags.includes("#") && base === 8 && !digits.startsWith("0")) digits = `0${digits}`;
  if (!isSigned) return digits;
  const sign = unsigned < 0 ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  return sign + digits;
}

function float(value: number, letter: string, flags: string, precision: number): string {
  const sign =
    value < 0 || Object.is(value, -0) ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const size = Math.abs(value);
  if (!Number.isFinite(size)) return sign + (Number.isNaN(size) ? "nan" : "inf");
  const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, "e$10$2");
  let body: string;
  const kind = letter.toLowerCase();
  if (kind === "f") {
    body = size.toFixed(Math.min(precision, 100));
    if (flags.includes("#") && precision === 0) body += ".";
  } else if (kind === "e") body = exponent(size.toExponential(Math.min(precision, 100)));
  else {
    const wanted = Math.max(1, precision);
    const power = size === 0 ? 0 : Number(size.toExponential(wanted - 1).split("e")[1]);
    body =
      power < -4 || power >= wanted
        ? exponent(size.toExponential(wanted - 1))
        : size.toFixed(Math.max(0, wanted - 1 - power));
    if (!flags.includes("#") && body.includes(".")) body = body.replace(/\.?0+(?=e|$)/, "");
  }
  return sign + (letter === kind ? body : body.toUpperCase());
}

export const printfBuiltins: BuiltinTable = { printf };
