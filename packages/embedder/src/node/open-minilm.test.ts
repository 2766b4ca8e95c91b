import { fork } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSystemClock } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { MODEL_FILES, type ModelFile, modelFolder } from "./model-files.ts";
import { openMiniLm } from "./open-minilm.ts";

const live = new AbortController().signal;
const embedder = openMiniLm({ clock: createSystemClock() });
afterAll(() => embedder[Symbol.asyncDispose]());

function likeness(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? 0;
}

test("[EM1] near in meaning is near as a vector", async () => {
  const [cat, feline, revenue] = await embedder.embed(
    ["The cat sat on the mat", "A feline rested on a rug", "Quarterly revenue grew by a tenth"],
    live,
  );
  expect(cat).toHaveLength(384);
  expect(likeness(cat, cat)).toBeCloseTo(1, 4);
  expect(likeness(cat, feline)).toBeGreaterThan(0.45);
  expect(likeness(cat, revenue)).toBeLessThan(0.1);
});

test("[EM1] a vector is the same alone and among longer texts, and the one that the model's makers publish", async () => {
  const text = "This is an example sentence";
  const [alone] = await embedder.embed([text], live);
  const [, among] = await embedder.embed(["a much longer text about something else ".repeat(6), text], live);
  expect(among).toEqual(alone);
  // From the model card of all-MiniLM-L6-v2; eight bits for each weight move it a little.
  const published = [0.0676, 0.0635, 0.0487, 0.0793, 0.0374, 0.0027];
  published.forEach((value, at) => expect(alone?.[at]).toBeCloseTo(value, 1));
});

test("[EM5] empty, very long and odd texts have vectors, too", async () => {
  const odd = ["", "\0\u{1f4a9}\ud800", "字".repeat(3_000)];
  for (const vector of await embedder.embed(odd, live)) expect(likeness(vector, vector)).toBeCloseTo(1, 3);
  expect(await embedder.embed([], live)).toEqual([]);
});

test("[EM4] an abort ends the wait with its reason, and other requests go on", async () => {
  const stop = new AbortController();
  const stopped = embedder.embed(["one"], stop.signal);
  const other = embedder.embed(["two"], live);
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  expect(await other).toHaveLength(1);
  await expect(embedder.embed(["three"], stop.signal)).rejects.toThrow("enough");
});

test("[EM9] a question does not wait for texts that came before it", async () => {
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const texts = embedder
    .embed(Array<string>(20).fill("a text that is to be indexed"), live)
    .then(note("texts"));
  const more = embedder.embed(["another one"], live).then(note("another text"));
  const question = embedder.embed(["where is it?"], live, "question").then(note("question"));
  await Promise.all([texts, more, question]);
  expect(order).toEqual(["question", "texts", "another text"]);
});

/** A folder with all files of the model, or all but one. */
function folderWithout(name?: ModelFile): { readonly folder: string; readonly left: string } {
  const folder = mkdtempSync(join(tmpdir(), "minilm-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [each, { path }] of Object.entries(MODEL_FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (each === name) continue;
    if (each.startsWith("runtime")) copyFileSync(join(modelFolder(), path), join(folder, path));
    else symlinkSync(join(modelFolder(), path), join(folder, path));
  }
  return { folder, left: name === undefined ? "" : join(folder, MODEL_FILES[name].path) };
}

/** The processes that have the model of this folder. */
function modelsOf(folder: string): readonly string[] {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return ""; // It has ended meanwhile.
    }
  };
  return readdirSync("/proc").filter((pid) => {
    const command = /^\d+$/.test(pid) ? commandOf(pid) : "";
    return command.includes("minilm-process") && command.includes(folder);
  });
}

test.each(["runtime", "weights"] as const)(
  "[EM2] [EM3] without the right file, each request says so; once it is there, the next works: %s",
  async (name) => {
    const { folder, left } = folderWithout(name);
    await using broken = openMiniLm({ clock: createSystemClock(), folder });
    await expect(broken.embed(["one"], live)).rejects.toMatchObject({ code: "model_missing" });
    writeFileSync(left, "throw new Error('This code must not run')");
    await expect(broken.embed(["one"], live)).rejects.toMatchObject({ code: "model_corrupt" });
    copyFileSync(join(modelFolder(), MODEL_FILES[name].path), left);
    expect(await broken.embed(["one"], live)).toHaveLength(1);
  },
);

test("[EM2] a closed one starts anew with the next request", async () => {
  const { folder } = folderWithout("tokenizer");
  const unused = openMiniLm({ clock: createSystemClock(), folder });
  await unused[Symbol.asyncDispose]();
  const pending = unused.embed(["one"], live);
  const closing = unused[Symbol.asyncDispose]();
  await expect(pending).rejects.toMatchObject({ code: "embedder_failed" });
  await closing;
  await expect(unused.embed(["one"], live)).rejects.toMatchObject({ code: "model_missing" });
  await unused[Symbol.asyncDispose]();
});

describe.skipIf(!existsSync("/proc/self/cmdline"))("the process with the model", () => {
  test("[M90] starts with the first request, ends when it is idle, and the next request starts another", async () => {
    const { folder } = folderWithout();
    const clock = createFakeClock();
    await using model = openMiniLm({ clock, folder });
    expect(modelsOf(folder)).toEqual([]);
    await model.embed(["one"], live);
    const [first] = modelsOf(folder);
    expect(first).toBeDefined();
    await clock.advance(60_000);
    await expect.poll(() => modelsOf(folder)).toEqual([]);
    await model.embed(["one"], live);
    expect(modelsOf(folder)).toHaveLength(1);
  });

  test("[M90] [EM2] if it is killed, what waits for it fails, and the next request starts another", async () => {
    const { folder } = folderWithout();
    await using model = openMiniLm({ clock: createSystemClock(), folder });
    await model.embed(["one"], live);
    const waiting = model.embed(["two ".repeat(400), "three ".repeat(400)], live);
    for (const pid of modelsOf(folder)) process.kill(Number(pid), "SIGKILL");
    await expect(waiting).rejects.toMatchObject({ code: "embedder_failed" });
    expect(await model.embed(["four"], live)).toHaveLength(1);
  });

  test("[M90] kill -9 of whoever started it ends it, too, while it computes", async () => {
    const { folder } = folderWithout();
    const parent = fork(fileURLToPath(new URL("./embed-forever.child.ts", import.meta.url)), [folder], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exited = once(parent, "exit");
    await once(parent, "message");
    expect(modelsOf(folder)).toHaveLength(1);
    parent.kill("SIGKILL");
    await exited;
    await expect.poll(() => modelsOf(folder)).toEqual([]);
  });
});
