import { runSuiteCase, type SuiteCase } from "./suite-case.ts";

/** A case as the page hands it over: bytes cross as Base64. */
export interface SuiteMessage extends Omit<SuiteCase, "module" | "files"> {
  readonly module: string;
  readonly files: readonly (readonly [path: string, bytes: string])[] | undefined;
}

addEventListener("message", ({ data }: MessageEvent<SuiteMessage>) => {
  const test: SuiteCase = {
    ...data,
    module: decode(data.module),
    files: data.files && new Map(data.files.map(([path, bytes]) => [path, decode(bytes)])),
  };
  runSuiteCase(test)
    .catch((error: unknown) => String(error))
    .then(
      (wrong) => postMessage({ wrong, suspends: "Suspending" in WebAssembly }),
      () => undefined,
    );
});

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
