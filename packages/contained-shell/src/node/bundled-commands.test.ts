import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import {
  findBundle,
  installBundle,
  openBundledPrograms,
  openBundleStore,
  OWN_REGISTRY,
} from "@deputy/bundles/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ContainedShell } from "../contained-shell.ts";
import { openContainedShell } from "./open-contained-shell.ts";
import { runIn } from "./contained-shell.fixture.ts";

const live = new AbortController().signal;
const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));

let scratch: string;
let shell: ContainedShell;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "deputy-bundled-"));
  const store = openBundleStore(join(scratch, "bundles"));
  const deps = {
    store,
    // The packages are those that `npm ci` has installed: nothing is asked for.
    fetch: () => Promise.reject(new Error("There is no network here")),
    nowMs: Date.now,
    folders: [REPOSITORY],
    npm: "http://127.0.0.1:1/",
    onProgress: () => undefined,
  };
  for (const name of ["jq", "lang-python", "ripgrep"])
    await installBundle(await findBundle(name, [OWN_REGISTRY], deps, live), deps, live);
  const folder = join(scratch, "files");
  for (const [name, text] of Object.entries({
    "sub/run.py":
      "import helper, os, sys\nprint(os.getcwd(), sys.argv[1:], helper.X, open('data.txt').read().strip())\nopen('made.txt', 'w').write('by python\\n')\n",
    "sub/helper.py": "X = 42\n",
    "sub/data.txt": "a needle\n",
    "tmp/f": "a needle in tmp\n",
    ".gitignore": "left\n",
    "left/f": "a needle that is left out\n",
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "wheels"));
  writeFileSync(join(folder, "wheels/tiny-1.0-py3-none-any.whl"), wheel());
  const bundles = openBundledPrograms(store, [OWN_REGISTRY], (why) => expect.unreachable(String(why)));
  shell = openContainedShell({ folder: async () => folder, bundles });
});

afterAll(async () => {
  await shell[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

/** `tiny.py` in a zip archive that stores it as it is. */
function wheel(): Buffer {
  const name = Buffer.from("tiny.py");
  const text = Buffer.from("def twice(x):\n    return 2 * x\n");
  const sum = crc32(text);
  const common = (at: number, block: Buffer): void => {
    block.writeUInt16LE(20, at);
    block.writeUInt32LE(sum, at + 10);
    block.writeUInt32LE(text.length, at + 14);
    block.writeUInt32LE(text.length, at + 18);
    block.writeUInt16LE(name.length, at + 22);
  };
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  common(4, local);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50);
  common(6, central);
  const start = local.length + name.length + text.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, name, text, central, name, end]);
}

test("[CS9] Python runs programs, files and modules of the workspace, where the script is", async () => {
  expect(await runIn(shell, 'python3 -c "print(1+1)"')).toMatchObject({ out: "2\n", err: "", end: 0 });
  const ran = await runIn(shell, "cd sub; python3 -u run.py a -c; cat made.txt");
  expect(ran).toMatchObject({ out: "/workspace/sub ['a', '-c'] 42 a needle\nby python\n", err: "" });
  expect(ran.changes).toEqual(['write sub/made.txt "by python\\n"']);
  expect((await runIn(shell, "python3 -m json.tool --compact <<< '[1, 2]'")).out).toBe("[1,2]\n");
  expect((await runIn(shell, "echo 'print(7)' | python3 -; cd sub; python -Bc 'import helper'")).out).toBe(
    "7\n",
  );
});

test("[CS9] Python has its standard library, and pure wheels of a folder", async () => {
  const modules =
    "sqlite3, json, re, csv, decimal, hashlib, zlib, datetime, unittest, urllib.parse, xml.etree";
  const code = `import ${modules}; import tiny; print(sqlite3.connect(":memory:").execute("select 6*7").fetchone()[0], tiny.twice(4))`;
  expect(await runIn(shell, `python3 -c '${code}'`)).toMatchObject({ out: "42 8\n", err: "", end: 0 });
});

test("[CS9] Python's streams, exit codes and errors are those of any command", async () => {
  expect(
    await runIn(shell, "seq 3 | python3 -c 'import sys; print(sum(map(int, sys.stdin)))' | tr 6 x"),
  ).toMatchObject({ out: "x\n" });
  expect(await runIn(shell, "python3 -c 'import sys; sys.exit(3)' || echo $?")).toMatchObject({ out: "3\n" });
  const endless = await runIn(shell, "python3 -c 'while True: print(1)' 2>/dev/null | head -n 2");
  expect(endless).toMatchObject({ out: "1\n1\n", end: 0 });
  const failed = await runIn(shell, "python3 -c 'open(\"gone\")'");
  expect(failed).toMatchObject({ end: 1 });
  expect(failed.err).toContain("FileNotFoundError");
});

test("[CS9] Python reaches no process, no network and nothing but the copy", async () => {
  const attempt = async (code: string) =>
    (await runIn(shell, `python3 -c '${code}'`)).err.split("\n").at(-2) ?? "";
  expect(await attempt('import subprocess; subprocess.run(["ls"])')).toContain("does not support processes");
  expect(await attempt('import socket; socket.create_connection(("127.0.0.1", 80))')).toMatch(/Error/);
  expect(await attempt('open("/etc/passwd")')).toContain("FileNotFoundError");
  expect(await attempt('open("/workspace/../../etc/passwd")')).toContain("FileNotFoundError");
});

test("[CS9] a Python that never ends is ended by the limit of time for computing", async () => {
  const limits = { cpuMs: 1_500 };
  expect(await runIn(shell, "python3 -c 'while True: pass'", { limits })).toMatchObject({ end: "cpu_limit" });
});

test("[CS9] ripgrep searches from where the script is, heeds .gitignore, and reads its input", async () => {
  expect(await runIn(shell, "rg --sort path needle")).toMatchObject({
    out: "sub/data.txt:a needle\ntmp/f:a needle in tmp\n",
    err: "",
    end: 0,
  });
  expect(
    (await runIn(shell, "cd sub; rg -c needle ../tmp; rg -l needle /workspace/tmp; rg nothing || echo $?"))
      .out,
  ).toBe("../tmp/f:1\n/workspace/tmp/f\n1\n");
  // A folder that is called as one of the root.
  expect((await runIn(shell, "rg -l needle tmp/; seq 12 | rg -c 1 -")).out).toBe("tmp/f\n4\n");
});

test("[CS9] jq reads files and its input, with regular expressions, dates and modules of the workspace", async () => {
  for (const [script, out] of [
    [`echo '{"a":[1,2,{"b":null}]}' | jq -c '.a[2], (.a | length)'`, '{"b":null}\n3\n'],
    [`cd sub; echo '[3,1,2]' > l.json; jq -r 'sort | map(tostring) | join("-")' l.json`, "1-2-3\n"],
    [
      `jq -n '"Straße 12" | [match("\\\\d+").string, gsub("ß"; "ss"), ascii_upcase]' -c`,
      '["12","Strasse 12","STRAßE 12"]\n',
    ],
    [`jq -nr '0 | todate, (1e3 | sqrt | floor)'`, "1970-01-01T00:00:00Z\n31\n"],
    ["jq -n '100000000000000000000000001'", "100000000000000000000000001\n"],
    [`echo 'def two: 2;' > sub/m.jq; jq -L sub -n 'import "m" as m; m::two'`, "2\n"],
    ["jq -n 'error(\"x\")' 2>&1; echo $?", "jq: error (at <unknown>): x\n5\n"],
    ["jq -n 'repeat(1)' | head -n 1", "1\n"],
  ] as const)
    expect((await runIn(shell, script)).out, script).toBe(out);
});

test("[CS9] commands of bundles are found as all are, and take no tool's place", async () => {
  expect((await runIn(shell, "type -p rg; which python3; compgen -c | grep -cx rg")).out).toBe(
    "/usr/bin/rg\n/usr/bin/python3\n1\n",
  );
  expect(
    (await runIn(shell, "find sub -name '*.txt' | xargs python3 -c 'import sys; print(sys.argv[1:])'")).out,
  ).toBe("['sub/data.txt']\n");
});
