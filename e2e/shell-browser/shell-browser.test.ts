import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFiles } from "../../packages/contained-shell/src/cases/start-files.fixture.ts";
import { noBrowser } from "../chromium.ts";
import { openWorkerPage, type WorkerPage } from "./open-page.ts";
import type { Batch, ScriptEnd } from "./shell-worker.ts";

const read = (path: string) => readFileSync(new URL(`../../packages/${path}`, import.meta.url));

interface Case {
  readonly script: string;
  readonly out: string;
  readonly err?: string;
  readonly status?: number;
}
const casesOf = (path: string): readonly Case[] =>
  Object.values(JSON.parse(read(path).toString()) as Record<string, readonly Case[]>).flat();

const ENV = { LC_ALL: "C.UTF-8", TZ: "UTC" };

// The rules are those of packages/shell and packages/contained-shell; these tests see that they hold in a browser, too.
describe.skipIf(noBrowser)("the shell in a worker of a real browser", () => {
  let opened: WorkerPage;
  beforeAll(async () => {
    opened = await openWorkerPage(
      { "shell-worker": "e2e/shell-browser/shell-worker.ts" },
      { "/core-utils.wasm": read("core-utils/src/core-utils.wasm") },
    );
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  async function run(batch: Partial<Batch> & Pick<Batch, "scripts">): Promise<readonly ScriptEnd[]> {
    const whole: Batch = { kind: "contained", waiting: "suspend", files: startFiles, env: ENV, ...batch };
    const ends = await opened.page.evaluate(
      (given) =>
        new Promise<readonly ScriptEnd[] | string>((resolve) => {
          const worker = new Worker("/shell-worker.js", { type: "module" });
          const end = (value: readonly ScriptEnd[] | string): void => {
            worker.terminate();
            resolve(value);
          };
          worker.addEventListener("message", ({ data }) => end(data));
          worker.addEventListener("error", ({ message }) => end(message));
          worker.postMessage(given);
        }),
      whole,
    );
    if (typeof ends === "string") throw new Error(ends);
    return ends;
  }

  test("[SH1] every recorded script writes and ends as in bash", async () => {
    const cases = casesOf("shell/src/cases/recorded.json");
    expect(cases.length).toBeGreaterThan(600);
    const env = { PATH: "/bin", HOME: "/home/user", LC_ALL: "C.UTF-8" };
    const ends = await run({ kind: "alone", files: {}, env, scripts: cases.map(({ script }) => script) });
    const wrong = cases
      .map(({ script, out, status }, at) => ({ script, out, status, got: ends[at] }))
      .filter(({ out, status, got }) => got?.out !== out || got.status !== status);
    expect(wrong).toEqual([]);
  });

  test("[CS1] every recorded script with tools writes as bash and GNU's", async () => {
    const cases = casesOf("contained-shell/src/cases/recorded.json");
    expect(cases.length).toBeGreaterThan(600);
    const ends = await run({ scripts: cases.map(({ script }) => script) });
    const wrong = cases
      .map(({ script, out, err }, at) => ({ script, out, err, got: ends[at] }))
      .filter(
        ({ out, err, got }) => got?.out !== out || got.err.replaceAll(/^bash: line 1: /gm, "bash: ") !== err,
      );
    expect(wrong).toEqual([]);
  });

  test("[SH4] [CS3] hostile scripts end by a limit that says what it is, and the next one runs", async () => {
    const hostile = {
      ":(){ :|:& };:; wait": "process_limit",
      "f() { f; }; f": "depth_limit",
      "x=a; while :; do x=$x$x; done": "expansion_limit",
      yes: "output_limit",
      "echo {1..100000000}": "expansion_limit",
      "x=$(yes)": "expansion_limit",
    };
    const limits = { outputBytes: 1_000_000, processes: 32 };
    const next = "cat a.txt | head -n 1";
    const ends = await run({ scripts: Object.keys(hostile).flatMap((script) => [script, next]), limits });
    for (const [at, [script, limit]] of Object.entries(hostile).entries()) {
      expect(ends[at * 2], script).toMatchObject({
        status: limit,
        err: expect.stringMatching(/^[A-Z].*\.$/),
      });
      expect(ends[at * 2 + 1], script).toMatchObject({ out: "one\n", status: 0 });
    }
    const endless = ["while :; do :; done", "until false; do x=$((x + 1)); done"];
    const timed = await run({ scripts: [...endless, next], limits: { wallMs: 300 } });
    expect(timed.map(({ status }) => status)).toEqual(["wall_limit", "wall_limit", 0]);
  });

  test("[SH2] where programs cannot be suspended, what ends by itself works the same", async () => {
    const scripts = [
      "sort -r a.txt | head -n 1",
      "grep -c o *.txt | sort",
      "find . -name '*.c' | sort | tr a-z A-Z",
      "x=$(sed -n 2p a.txt); echo $x",
      'while read -r l; do echo "<$l>"; done < <(tac a.txt)',
    ];
    const [suspended, spooled] = [await run({ scripts }), await run({ scripts, waiting: "spool" })];
    expect(spooled).toEqual(suspended);
  });
});
