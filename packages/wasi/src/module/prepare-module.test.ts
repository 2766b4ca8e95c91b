import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { prepareModule } from "./prepare-module.ts";

const PROBE = readFileSync(new URL("../probe/probe.wasm", import.meta.url));
const MAX = { maxMemoryBytes: 64 * 1024 * 1024 };
const HEADER = [0, 97, 115, 109, 1, 0, 0, 0];
const text = (word: string): number[] => [word.length, ...new TextEncoder().encode(word)];
const section = (id: number, ...body: number[]): number[] => [id, body.length, ...body];
const moduleOf = (...sections: number[][]): Uint8Array => new Uint8Array([...HEADER, ...sections.flat()]);
const refused = { code: "module_refused" };

test("[WA3] refuses imports that nobody named", async () => {
  const type = section(1, 1, 0x60, 0, 0);
  for (const [from, name] of [
    ["env", "system"],
    ["wasi_unstable", "fd_write"],
    ["deputy_files", "path_mode_get"],
    ["__proto__", "x"],
    ["constructor", "name"],
  ] as const) {
    const module = moduleOf(type, section(2, 1, ...text(from), ...text(name), 0, 0));
    await expect(prepareModule(module, MAX), from).rejects.toMatchObject(refused);
    await expect(prepareModule(module, { ...MAX, imports: {} }), from).rejects.toMatchObject(refused);
  }
  const memory = moduleOf(section(2, 1, ...text("wasi_snapshot_preview1"), ...text("memory"), 2, 0, 1));
  await expect(prepareModule(memory, MAX)).rejects.toMatchObject(refused);
});

test("[WA3] refuses what is no command, and what is no module", async () => {
  await expect(prepareModule(moduleOf(), MAX)).rejects.toMatchObject(refused);
  await expect(prepareModule(moduleOf(section(5, 1, 0, 1)), MAX)).rejects.toMatchObject(refused);
  for (const bytes of [new Uint8Array(), new TextEncoder().encode("#!/bin/sh\n"), PROBE.subarray(0, 5000)])
    await expect(prepareModule(bytes, MAX)).rejects.toMatchObject({ code: /^module_(invalid|refused)$/ });
});

test("[WA4] refuses memories that are too large, shared, 64-bit or several", async () => {
  for (const body of [
    [1, 0, 0x81, 0x08],
    [1, 1, 0x81, 0x08, 0xff, 0xff, 3],
    [1, 3, 1, 2],
    [1, 4, 1],
    [2, 0, 1, 0, 1],
    [1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
  ])
    await expect(prepareModule(moduleOf(section(5, ...body)), MAX), String(body)).rejects.toMatchObject(
      refused,
    );
  await expect(prepareModule(PROBE, MAX)).resolves.toBeDefined();
});
