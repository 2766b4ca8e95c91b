import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** One case of the Oils project's spec, with what it says that bash does. */
export interface OilsCase {
  /** The file's name, without its ending. */
  readonly file: string;
  readonly title: string;
  readonly line: number;
  readonly code: string;
  readonly expected: OilsOutcome;
}

/** What is `undefined` does not matter. Text is Latin-1: a character for each byte. */
export interface OilsOutcome {
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
  readonly status: number;
}

/** The cases of all files that shells other than Oils' own language can run. */
export function readOilsCases(checkout: string): OilsCase[] {
  const folder = join(checkout, "spec");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".test.sh") && !name.startsWith("ysh-"))
    .sort()
    .flatMap((name) => readCases(basename(name, ".test.sh"), readFileSync(join(folder, name), "latin1")));
}

const KEY = /^##\s+(?:(?:OK(?:-\d)?|BUG(?:-\d)?|N-I)\s+([\w+/]+)\s+)?([\w-]+):\s*(.*)$/;
const END = /^##\s+END/;

/** As `test/sh_spec.py` reads them. */
function readCases(file: string, text: string): OilsCase[] {
  const cases: OilsCase[] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let at = lines.findIndex((line) => line.startsWith("####"));
  while (at >= 0 && at < lines.length) {
    const title = (lines[at] ?? "").slice(4).trim();
    const line = at + 1;
    const ours = new Map<string, string>();
    const all = new Map<string, string>();
    const code: string[] = [];
    let inCode = false;
    for (at += 1; at < lines.length && !(lines[at] ?? "").startsWith("####"); at += 1) {
      const row = lines[at] ?? "";
      const key = KEY.exec(row);
      if (key === null) {
        if (row.startsWith("##")) continue;
        const isBetween = !inCode && (row.trim() === "" || row.trimStart().startsWith("#"));
        // After the first key behind the code, nothing is code any more.
        if (!isBetween && !(all.size + ours.size > 0 && code.length > 0)) {
          inCode = true;
          code.push(`${row}\n`);
        }
        continue;
      }
      const [, shells, name = "", first = ""] = key;
      let value = name === "stdout" || name === "stderr" ? `${first}\n` : first;
      if (name === "STDOUT" || name === "STDERR") {
        value = "";
        while (
          at + 1 < lines.length &&
          !KEY.test(lines[at + 1] ?? "") &&
          !(lines[at + 1] ?? "").startsWith("##")
        ) {
          if ((lines[at + 1] ?? "").startsWith("####")) break;
          value += `${lines[at + 1] ?? ""}\n`;
          at += 1;
        }
        if (END.test(lines[at + 1] ?? "")) at += 1;
      }
      if (shells === undefined) all.set(name.toLowerCase(), value);
      else if (shells.split("/").some((shell) => shell.startsWith("bash")))
        ours.set(name.toLowerCase(), value);
    }
    const script = all.get("code") ?? code.join("");
    const of = (name: string): string | undefined => {
      for (const from of [ours, all]) {
        const plain = from.get(name);
        if (plain !== undefined) return plain;
        const json = from.get(`${name}-json`);
        if (json !== undefined) return fromJson(json);
      }
      return undefined;
    };
    cases.push({
      file,
      title,
      line,
      code: script,
      expected: {
        stdout: of("stdout"),
        stderr: of("stderr"),
        status: Number(ours.get("status") ?? all.get("status") ?? 0),
      },
    });
  }
  return cases;
}

/** JSON in a file that was read byte by byte. */
function fromJson(text: string): string {
  const parsed = JSON.parse(Buffer.from(text, "latin1").toString("utf8")) as string;
  return Buffer.from(parsed, "utf8").toString("latin1");
}
