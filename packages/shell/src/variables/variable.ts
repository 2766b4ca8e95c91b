import { encodeText } from "../text/bytes.ts";

/** An array with gaps whose keys are given in order. */
export class IndexedArray {
  #items: Map<number, string>;
  #max: number;
  #ordered: boolean;

  constructor(items: Iterable<readonly [number, string]> = []) {
    this.#items = new Map();
    this.#max = -1;
    this.#ordered = true;
    for (const [key, value] of items) this.set(key, value);
  }

  get size(): number {
    return this.#items.size;
  }

  /** The highest key; -1 if it is empty. */
  get max(): number {
    return this.#max;
  }

  get(key: number): string | undefined {
    return this.#items.get(key);
  }

  has(key: number): boolean {
    return this.#items.has(key);
  }

  set(key: number, value: string): void {
    if (key > this.#max) this.#max = key;
    else if (!this.#items.has(key)) this.#ordered = false;
    this.#items.set(key, value);
  }

  delete(key: number): void {
    if (!this.#items.delete(key) || key !== this.#max) return;
    this.#max = -1;
    for (const each of this.#items.keys()) if (each > this.#max) this.#max = each;
  }

  #sort(): void {
    if (this.#ordered) return;
    this.#items = new Map([...this.#items].sort(([a], [b]) => a - b));
    this.#ordered = true;
  }

  keys(): readonly number[] {
    this.#sort();
    return [...this.#items.keys()];
  }

  values(): readonly string[] {
    this.#sort();
    return [...this.#items.values()];
  }

  entries(): readonly (readonly [number, string])[] {
    this.#sort();
    return [...this.#items];
  }

  copy(): IndexedArray {
    this.#sort();
    return new IndexedArray(this.#items);
  }
}

export type VariableShape = "scalar" | "indexed" | "associative";

/** A variable with its attributes. What is declared and has no value yet is `isSet: false`. */
export class Variable {
  shape: VariableShape = "scalar";
  text: string | undefined;
  list: IndexedArray | undefined;
  map: Map<string, string> | undefined;
  exported = false;
  readonly = false;
  integer = false;
  lower = false;
  upper = false;
  capital = false;
  nameref = false;
  trace = false;
  /** Computes the value before it is read, for `RANDOM` and the like. */
  refresh: ((variable: Variable) => void) | undefined;
  /** Takes what is assigned, for `RANDOM`, `SECONDS` and the like. */
  taken: ((value: string) => void) | undefined;
  /** The storage of an array is also another shell's: it is copied before it changes. */
  #shared = false;

  constructor(text?: string) {
    this.text = text;
  }

  get isSet(): boolean {
    if (this.shape === "scalar") return this.text !== undefined;
    return this.shape === "indexed" ? this.list !== undefined : this.map !== undefined;
  }

  copy(): Variable {
    const copy = new Variable(this.text);
    Object.assign(copy, {
      shape: this.shape,
      list: this.list,
      map: this.map,
      exported: this.exported,
      readonly: this.readonly,
      integer: this.integer,
      lower: this.lower,
      upper: this.upper,
      capital: this.capital,
      nameref: this.nameref,
      trace: this.trace,
      refresh: this.refresh,
      taken: this.taken,
    });
    if (this.list !== undefined || this.map !== undefined) {
      copy.#shared = true;
      this.#shared = true;
    }
    return copy;
  }

  /** The storage to change. */
  ownList(): IndexedArray {
    this.list = this.list === undefined ? new IndexedArray() : this.#shared ? this.list.copy() : this.list;
    this.#shared = false;
    return this.list;
  }

  ownMap(): Map<string, string> {
    this.map = this.map === undefined ? new Map() : this.#shared ? new Map(this.map) : this.map;
    this.#shared = false;
    return this.map;
  }

  /** What `$x` is: element 0 of an array. */
  scalar(): string | undefined {
    if (this.shape === "scalar") return this.text;
    return this.shape === "indexed" ? this.list?.get(0) : this.map?.get("0");
  }

  values(): readonly string[] {
    if (this.shape === "scalar") return this.text === undefined ? [] : [this.text];
    if (this.shape === "indexed") return this.list?.values() ?? [];
    const { map } = this;
    return map === undefined ? [] : inBashOrder(map.keys()).map((key) => map.get(key) ?? "");
  }

  keys(): readonly string[] {
    if (this.shape === "scalar") return this.text === undefined ? [] : ["0"];
    if (this.shape === "indexed") return (this.list?.keys() ?? []).map(String);
    return inBashOrder(this.map?.keys() ?? []);
  }

  /** The letters that `declare -p` and `${x@a}` show. */
  attributes(): string {
    return (
      (this.shape === "indexed" ? "a" : "") +
      (this.shape === "associative" ? "A" : "") +
      (this.integer ? "i" : "") +
      (this.nameref ? "n" : "") +
      (this.readonly ? "r" : "") +
      (this.trace ? "t" : "") +
      (this.capital ? "c" : "") +
      (this.lower ? "l" : "") +
      (this.upper ? "u" : "") +
      (this.exported ? "x" : "")
    );
  }
}

/** As many lists as bash begins a table with; a table grows fourfold once it has twice as many keys as lists. */
const FIRST_LISTS = 1_024;

/** The keys of an associative array in the order in which bash gives them: by their hash, newer ones first. */
function inBashOrder(keys: Iterable<string>): readonly string[] {
  const all = [...keys];
  if (all.length < 2) return all;
  let lists = FIRST_LISTS;
  while (all.length >= lists * 2) lists *= 4;
  return all
    .map((key, age) => ({ key, age, list: hash(key) & (lists - 1) }))
    .sort((a, b) => a.list - b.list || b.age - a.age)
    .map(({ key }) => key);
}

/** FNV-1 with 32 bits. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (const byte of encodeText(key)) value = Math.imul(value, 0x01000193) ^ byte;
  return value;
}
