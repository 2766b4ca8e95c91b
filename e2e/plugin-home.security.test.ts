import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

const PROGRAM = "```ts\nreturn 1;\n```";

/** A home with a plugin that leaves a mark when its code runs. */
function setup(home: string) {
  const mark = join(home, "mark");
  mkdirSync(join(home, "plugins"), { mode: 0o700 });
  const file = join(home, "plugins", "planted.ts");
  const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "ran"); export default {};`;
  writeFileSync(file, code, { mode: 0o600 });
  return { mark, file };
}

test("[E388] no command loads a plugin from a home that others can write to", async () => {
  using scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  mkdirSync(home, { mode: 0o700 });
  const { mark, file } = setup(home);
  const args = ["--home", home];
  const refused = async (command: readonly string[]) => {
    const { code, stderr } = await runDeputy([...command, ...args]);
    expect([command[0], code, stderr]).toEqual([command[0], 1, expect.stringContaining("home_unusable")]);
    expect(stderr).toContain("chmod");
    expect([command[0], existsSync(mark)]).toEqual([command[0], false]);
  };
  // Before Deputy has put anything in it: making it private later does not make it trustworthy.
  chmodSync(home, 0o777);
  await refused(["tools", "list"]);
  for (const command of [
    ["run", PROGRAM],
    ["tools", "types"],
    ["serve", "--port", "0"],
  ])
    await refused(command);
  chmodSync(home, 0o700);
  for (const path of [join(home, "plugins"), file, join(home, "config.json")]) {
    const mode = path === join(home, "plugins") ? 0o770 : 0o666;
    chmodSync(path, mode);
    await refused(["tools", "list"]);
    chmodSync(path, mode === 0o770 ? 0o700 : 0o600);
  }
  expect(await runDeputy(["tools", "list", ...args])).toMatchObject({ code: 0 });
  expect(existsSync(mark)).toBe(true);
});
