// npm run wasi:testsuite -- DIR [--chromium]: the WASI test suite, in this process.
import { runSuiteCase } from "./suite-case.ts";
import { readSuite } from "./suite-files.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder with a copy of WebAssembly/wasi-testsuite.");
const cases = readSuite(folder);
let passed = 0;
for (const test of cases) {
  const wrong = await runSuiteCase(test).catch((error: unknown) => String(error));
  if (wrong === undefined) passed += 1;
  else console.log(`${test.name}: ${wrong}`);
}
console.log(`${passed} of ${cases.length} passed`);
process.exitCode = passed === cases.length && passed > 0 ? 0 : 1;
