import { readFileSync } from "node:fs";
import { createMemoryFileSystem } from "@deputy/vfs";
import { createSystemWasiClock } from "@deputy/wasi";
import { beforeAll, expect, test } from "vitest";
import { caseFiles } from "./cases/files.fixture.ts";
import { generateCases } from "./cases/generate-cases.fixture.ts";
import { type CoreUtils, loadCoreUtils } from "./core-utils.ts";
import { toolNames } from "./tool-names.ts";

type Recorded = readonly [argv: readonly string[], stdin: string, out: string, err: string, status: number];
const recorded = JSON.parse(
  readFileSync(new URL("./cases/recorded.json", import.meta.url), "utf8"),
) as readonly Recorded[];

let tools: CoreUtils;
beforeAll(async () => {
  tools = await loadCoreUtils(readFileSync(new URL("./core-utils.wasm", import.meta.url)));
});

const fromBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

function setup() {
  const clock = createSystemWasiClock("spool");
  const random = (length: number): Uint8Array => new Uint8Array(length);
  const fileSystem = createMemoryFileSystem({ now: clock.realtime, random });
  for (const folder of ["/work", "/work/tree", "/work/tree/deep"]) fileSystem.makeDirectory(folder);
  for (const [name, bytes] of Object.entries(caseFiles))
    fileSystem.writeFile(`/work/${name}`, toBytes(bytes));
  const run = async (argv: readonly string[], stdin = "", cwd = "/work") => {
    let left = toBytes(stdin);
    const out: Uint8Array[] = [];
    const err: Uint8Array[] = [];
    const outcome = await tools.run(
      {
        argv,
        env: {},
        cwd,
        fileSystem,
        clock,
        random,
        waiting: "spool",
        stdin: {
          read(max: number) {
            const some = left.subarray(0, max);
            left = left.subarray(some.length);
            return some;
          },
        },
        stdout: { write: (bytes) => (out.push(bytes), "taken") },
        stderr: { write: (bytes) => (err.push(bytes), "taken") },
      },
      new AbortController().signal,
    );
    return {
      out: fromBytes(Buffer.concat(out)),
      err: fromBytes(Buffer.concat(err)),
      status: outcome.kind === "exited" ? outcome.code : outcome.kind,
    };
  };
  return { run, fileSystem };
}

test("[CU1] a tool is called by its name, and no other", async () => {
  const { run } = setup();
  const defined = readFileSync(new URL("./c/tools.def", import.meta.url), "utf8").matchAll(
    /TOOL\("([^"]+)"/g,
  );
  expect(toolNames).toEqual([...defined].map(([, name]) => name));
  expect(await run(["/bin/cat", "one.txt"])).toMatchObject({ out: "one line\n", status: 0 });
  expect(await run(["nothing"])).toMatchObject({ status: 127 });
});

test("[CU2] the recorded cases are those that the generator gives, 1,500 at least", () => {
  const cases = generateCases(caseFiles).map(({ argv, stdin }) => [argv, stdin ?? ""]);
  expect(recorded.map(([argv, stdin]) => [argv, stdin])).toEqual(cases);
  expect(recorded.length).toBeGreaterThanOrEqual(1_500);
});

test.each(toolNames.filter((name) => recorded.some(([argv]) => argv[0] === name)))(
  "[CU2] %s: as GNU's",
  async (name) => {
    const { run, fileSystem } = setup();
    for (const [argv, stdin, out, err, status] of recorded) {
      if (argv[0] !== name) continue;
      const got = await run(argv, stdin);
      expect.soft({ argv, ...got }).toEqual({ argv, out, err, status });
      for (const made of ["out.txt", "out.txt.rej"])
        if (fileSystem.readDirectory("/work").some((entry) => entry.name === made))
          fileSystem.unlink(`/work/${made}`);
    }
  },
);

test("[CU5] what cannot be started is said", async () => {
  const { run } = setup();
  expect(await run(["xargs", "echo"], "a b")).toMatchObject({
    err: "xargs: 'echo': Function not implemented\n",
    status: 126,
  });
  expect(await run(["env", "A=1", "env"])).toMatchObject({ status: 126 });
});

test("[CU3] paths start in the folder of the run", async () => {
  const { run } = setup();
  expect(await run(["cat", "../../one.txt", "c.txt"], "", "/work/tree/deep")).toMatchObject({
    out: "one line\ngamma\nneedle three\nneedle\n",
  });
});

test("[CU4] patterns that make others take for ever are answered", async () => {
  const { run, fileSystem } = setup();
  fileSystem.writeFile("/work/long", toBytes(`${"a".repeat(20_000)}\n`));
  expect(await run(["grep", "-cE", "(a*)*b", "long"])).toMatchObject({ out: "0\n", status: 1 });
  expect(await run(["grep", "-cE", "(a?){50}a{50}$", "long"])).toMatchObject({ out: "1\n", status: 0 });
  expect(await run(["grep", "-cE", "(a*)*\\1b", "long"])).toMatchObject({ out: "0\n", status: 1 });
  for (const pattern of ["(a+)+$b", "(a|aa)+b", "(?=(a+))\\1*b", "(a(?1)?)+b", "(?<=(a*)*)b"])
    expect(await run(["grep", "-cP", pattern, "long"])).toMatchObject({ status: expect.any(Number) });
  expect(await run(["grep", "-cP", "(a+)+$b", "long"])).toMatchObject({
    err: "grep: long: exceeded PCRE's backtracking limit\n",
    status: 2,
  });
});
