import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** A program in C: the texts of its files by name. */
export type CSources = Readonly<Record<string, string>>;

type RunClang = (
  args: readonly string[],
  files: Record<string, string>,
  options: {
    readonly stdout: (bytes: Uint8Array | null) => void;
    readonly stderr: (bytes: Uint8Array | null) => void;
  },
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Compiles C to a WASI command. The same sources give the same bytes: the compiler is itself a WebAssembly module of
 * a pinned version, and sees neither the machine nor the time.
 *
 * `compilerFolder` is a folder whose `node_modules` has `@yowasp/clang`.
 */
export async function compileC(sources: CSources, compilerFolder: string): Promise<Uint8Array> {
  const found = createRequire(`${compilerFolder}/package.json`).resolve("@yowasp/clang");
  const { runClang } = (await import(pathToFileURL(found).href)) as { runClang: RunClang };
  let said = "";
  const listen = (bytes: Uint8Array | null): void => {
    if (bytes !== null) said += new TextDecoder().decode(bytes);
  };
  const units = Object.keys(sources).filter((name) => name.endsWith(".c"));
  try {
    const files = await runClang(
      [
        "clang",
        "-std=gnu17",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-parameter",
        "-Wl,--strip-all",
        "-Wl,-z,stack-size=1048576",
        "-o",
        "out.wasm",
        ...units,
      ],
      { ...sources },
      { stdout: listen, stderr: listen },
    );
    const built = files["out.wasm"];
    if (built instanceof Uint8Array) return built;
  } catch (cause) {
    throw new Error(`The compiler refused:\n${said}`, { cause });
  }
  throw new Error(`The compiler made nothing:\n${said}`);
}
