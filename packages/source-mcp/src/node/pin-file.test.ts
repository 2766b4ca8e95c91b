import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Pins } from "../pins.ts";
import { TARGET } from "./mcp.fixture.ts";
import { createPinFile } from "./pin-file.ts";

const PINS: Pins = {
  version: 1,
  target: TARGET,
  server: { name: "shop", version: "1" },
  pinnedAt: "2026-01-01T00:00:00.000Z",
  offers: { resources: false, prompts: true },
  tools: [],
  changes: [{ kind: "gone", name: "buy" }],
};

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), "deputy-pins-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "mcp", "shop.json");
  return { file, store: createPinFile(file) };
}

test("[TM3] keeps pins in a file that only the user can read", () => {
  const { file, store } = setUp();
  expect(store.read()).toBeUndefined();
  store.write(PINS);
  expect(store.read()).toEqual(PINS);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test.each(["", "{", '{"version":1}', '{"version":2}'])(
  "[TM3] rejects a file with %j as pins, and trusts nothing",
  (text) => {
    const { file, store } = setUp();
    store.write(PINS);
    writeFileSync(file, text);
    expect(() => store.read()).toThrow(expect.objectContaining({ code: "mcp_pins_invalid" }));
  },
);
