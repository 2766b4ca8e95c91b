import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changeConfigFile, readConfigFile } from "./config-file.ts";

function setup(text?: string) {
  const home = mkdtempSync(join(tmpdir(), "config-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const file = join(home, "config.json");
  if (text !== undefined) writeFileSync(file, text);
  return { home, file, draft: `${file}.new`, read: () => readFileSync(file, "utf8") };
}

test("[E91] creates an empty file for its owner at first, and leaves it alone later", () => {
  const { home, file } = setup();
  expect(readConfigFile(home)).toBe("{}\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '{ "model": "a/b" }');
  expect(readConfigFile(home)).toBe('{ "model": "a/b" }');
});

test("[E91] refuses a file that is too large", () => {
  const { home } = setup(" ".repeat(2_000_000));
  expect(() => readConfigFile(home)).toThrow("larger than 1 MB");
});

test("[E91] a change replaces the whole file; a failed one leaves it unchanged", () => {
  const { home, draft, read } = setup("{}");
  changeConfigFile(home, (text) => `${text} new`);
  expect(read()).toBe("{} new");
  const fail = () => {
    throw new Error("no");
  };
  expect(() => changeConfigFile(home, fail)).toThrow(
    expect.objectContaining({ code: "file_unwritable" }) as Error,
  );
  expect(read()).toBe("{} new");
  expect(existsSync(draft)).toBe(false);
});

test("[E91] concurrent changes lose nothing, and an abandoned one does not block", () => {
  const { home, draft, read } = setup("{}");
  changeConfigFile(home, () => {
    expect(() => changeConfigFile(home, () => "lost")).toThrow("another process is writing it");
    return "kept";
  });
  expect(read()).toBe("kept");
  writeFileSync(draft, "half");
  const longAgo = Date.now() / 1_000 - 60;
  utimesSync(draft, longAgo, longAgo);
  changeConfigFile(home, () => "after");
  expect(read()).toBe("after");
});

test("[E91] a file that is a link stays a link", () => {
  const { home, file } = setup();
  const real = join(home, "real.json");
  writeFileSync(real, "{}");
  symlinkSync(real, file);
  changeConfigFile(home, () => "changed");
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, "utf8")).toBe("changed");
});
