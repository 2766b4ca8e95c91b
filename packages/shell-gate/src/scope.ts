/** What is known of a shell variable. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** Some whole number. */
  | { readonly kind: "integer" }
  | { readonly kind: "unknown" };

/** What holds at one point of a script. Never changed; each command answers with the next. */
export interface Scope {
  /** Where the command may be: more than one after a `cd` that may have failed. */
  readonly directories: readonly string[];
  /** Variables that the script itself has set. */
  readonly variables: ReadonlyMap<string, Value>;
}

/** What holds after a command, by how it ended. */
export interface Outcome {
  readonly ok: Scope;
  readonly failed: Scope;
}

export function always(scope: Scope): Outcome {
  return { ok: scope, failed: scope };
}

export function withVariable(scope: Scope, name: string, value: Value): Scope {
  return { ...scope, variables: new Map([...scope.variables, [name, value]]) };
}

export function merge(a: Scope, b: Scope): Scope {
  if (a === b) return a;
  const variables = new Map<string, Value>();
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
    const [one, other] = [a.variables.get(name), b.variables.get(name)];
    variables.set(
      name,
      one !== undefined && other !== undefined && isSame(one, other) ? one : { kind: "unknown" },
    );
  }
  return { directories: [...new Set([...a.directories, ...b.directories])], variables };
}

export function mergeOutcome({ ok, failed }: Outcome): Scope {
  return merge(ok, failed);
}

function isSame(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.kind !== "text" || (b.kind === "text" && a.text === b.text));
}
