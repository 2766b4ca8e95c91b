/** Where a command writes. With `--json`, stdout carries one JSON object per line and nothing else. */
export interface Output {
  readonly mode: "human" | "json";
  /** The command's result: stdout. */
  result(text: string): void;
  /** Messages on the way: stderr; silent with `--json`. */
  note(text: string): void;
  /** Only with `--json`: one object, one line. */
  object(value: unknown): void;
}

export function createOutput(
  mode: Output["mode"],
  streams: { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream },
): Output {
  return {
    mode,
    result: (text) => void (mode === "human" && streams.stdout.write(`${text}\n`)),
    note: (text) => void (mode === "human" && streams.stderr.write(`${text}\n`)),
    object: (value) => void (mode === "json" && streams.stdout.write(`${JSON.stringify(value)}\n`)),
  };
}
