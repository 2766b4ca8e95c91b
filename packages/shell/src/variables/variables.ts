import { Variable } from "./variable.ts";

export interface Frame {
  readonly kind: "global" | "function" | "temporary";
  readonly names: Map<string, Variable>;
}

/** How long a chain of namerefs may be. */
const LONGEST_CHAIN = 8;

/** All variables of one shell: globals, locals of running functions, and those set for one command. */
export class Variables {
  #frames: Frame[];

  constructor(frames: readonly Frame[] = [{ kind: "global", names: new Map() }]) {
    this.#frames = [...frames];
  }

  /** For a subshell: nothing that it sets is seen here. */
  copy(): Variables {
    return new Variables(
      this.#frames.map(({ kind, names }) => {
        const copies = new Map<string, Variable>();
        for (const [name, variable] of names) copies.set(name, variable.copy());
        return { kind, names: copies };
      }),
    );
  }

  get depth(): number {
    return this.#frames.length;
  }

  push(kind: "function" | "temporary"): Frame {
    const frame: Frame = { kind, names: new Map() };
    this.#frames.push(frame);
    return frame;
  }

  pop(): void {
    this.#frames.pop();
  }

  /** The variable itself, even if it is a nameref; undefined if there is none. */
  find(name: string): Variable | undefined {
    for (let i = this.#frames.length - 1; i >= 0; i -= 1) {
      const variable = this.#frames[i]?.names.get(name);
      if (variable !== undefined) {
        variable.refresh?.(variable);
        return variable;
      }
    }
    return undefined;
  }

  /** What a nameref stands for: a name, or `name[subscript]`. `undefined` if it goes round in a circle. */
  resolve(name: string): string | undefined {
    let at = name;
    for (let i = 0; i < LONGEST_CHAIN; i += 1) {
      const variable = this.find(at);
      if (variable?.nameref !== true || variable.text === undefined || variable.text === "") return at;
      at = variable.text;
    }
    return undefined;
  }

  /** The text of a plain variable, following namerefs to plain names. */
  text(name: string): string | undefined {
    const variable = this.find(name);
    if (variable?.nameref !== true) return variable?.scalar();
    const target = this.resolve(name);
    return target === undefined || target === name ? undefined : this.find(target)?.scalar();
  }

  /** Sets a text past all attributes, as the shell itself does. */
  setText(name: string, text: string): Variable {
    const variable = this.find(name) ?? this.declareGlobal(name);
    if (variable.shape === "indexed") variable.ownList().set(0, text);
    else if (variable.shape === "associative") variable.ownMap().set("0", text);
    else variable.text = text;
    return variable;
  }

  setList(name: string, items: readonly string[]): Variable {
    const variable = this.find(name) ?? this.declareGlobal(name);
    variable.shape = "indexed";
    variable.text = undefined;
    variable.map = undefined;
    variable.list = undefined;
    const list = variable.ownList();
    for (const [i, item] of items.entries()) list.set(i, item);
    return variable;
  }

  declareGlobal(name: string): Variable {
    return declareIn(this.#frames[0], name);
  }

  get global(): Frame {
    return this.#frames[0] ?? { kind: "global", names: new Map() };
  }

  /** The frame of the running function; undefined outside of functions. */
  get local(): Frame | undefined {
    return this.#frames.findLast(({ kind }) => kind === "function");
  }

  /** The frames that are above the running function's: variables for the command that runs now. */
  temporaries(): readonly Frame[] {
    const above: Frame[] = [];
    for (let i = this.#frames.length - 1; i >= 0; i -= 1) {
      const frame = this.#frames[i];
      if (frame?.kind !== "temporary") break;
      above.push(frame);
    }
    return above;
  }

  declareIn(frame: Frame, name: string): Variable {
    return declareIn(frame, name);
  }

  /** True if there is any variable of this name, even one without a value. */
  isDeclared(name: string): boolean {
    return this.#frames.some(({ names }) => names.has(name));
  }

  /** True if the variable was set for the call of the running function: `x=1 f`. */
  isForCall(name: string): boolean {
    const at = this.#frames.findLastIndex(({ kind }) => kind === "function");
    const below = this.#frames[at - 1];
    return below?.kind === "temporary" && below.names.has(name);
  }

  /** Removes the innermost variable of this name. A local of the running function stays, without a value. */
  unset(name: string): void {
    for (let i = this.#frames.length - 1; i >= 0; i -= 1) {
      const frame = this.#frames[i];
      if (frame?.names.has(name) !== true) continue;
      if (frame === this.local) {
        const hidden = new Variable();
        frame.names.set(name, hidden);
      } else frame.names.delete(name);
      return;
    }
  }

  /** Each visible variable, by name. */
  visible(): ReadonlyMap<string, Variable> {
    const all = new Map<string, Variable>();
    for (const { names } of this.#frames) for (const [name, variable] of names) all.set(name, variable);
    const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, variable] of sorted) variable.refresh?.(variable);
    return new Map(sorted);
  }

  /** What a command gets as its environment. */
  environment(): Record<string, string> {
    const environment: Record<string, string> = {};
    for (const [name, variable] of this.visible()) {
      if (variable.exported && variable.shape === "scalar" && variable.text !== undefined) {
        environment[name] = variable.text;
      }
    }
    return environment;
  }
}

function declareIn(frame: Frame | undefined, name: string): Variable {
  const known = frame?.names.get(name);
  if (known !== undefined) return known;
  const variable = new Variable();
  frame?.names.set(name, variable);
  return variable;
}
