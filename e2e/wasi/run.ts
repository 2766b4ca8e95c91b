// npm run wasi:testsuite -- DIR [--chromium | --spool]
// Runs the preview-1 programs of a copy of WebAssembly/wasi-testsuite (branch `prod/testsuite-base`) in this process,
// in a worker of a real browser, or as where programs cannot be suspended.
import { openChromiumSuite } from "./in-chromium.ts";
import { runSuiteCase, type SuiteCase } from "./suite-case.ts";
import { readSuite } from "./suite-files.ts";

const [folder, where] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder with a copy of WebAssembly/wasi-testsuite.");
const cases = readSuite(folder);
await using opened = new AsyncDisposableStack();
const run =
  where === "--chromium"
    ? opened.use(await openChromiumSuite()).run
    : (test: SuiteCase) => runSuiteCase(test, where === "--spool" ? "spool" : "suspend");
let passed = 0;
for (const test of cases) {
  const wrong = await run(test).catch((error: unknown) => String(error));
  if (wrong === undefined) passed += 1;
  else process.stdout.write(`${test.name}: ${wrong}\n`);
}
process.stdout.write(`${passed} of ${cases.length} passed\n`);
process.exitCode = passed === cases.length && passed > 0 ? 0 : 1;
