import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { scrubbedEnv } from "@deputy/tools/node/env";
import { createChildTransports } from "./child-transport.ts";
import { look, openPinned } from "./mcp.fixture.ts";

const SERVER = fileURLToPath(new URL("child-server.fixture.mjs", import.meta.url));
/** Deputy's environment, with values that no server should get. */
const OURS = {
  PATH: process.env["PATH"],
  HOME: "/nowhere",
  ANTHROPIC_API_KEY: "sk-secret",
  DEPUTY_TOKEN: "secret",
  NODE_OPTIONS: "--max-http-header-size=9999",
  LD_PRELOAD: "",
  BASH_ENV: "/tmp/x",
};

function children(...args: readonly string[]) {
  return createChildTransports(() => ({
    command: process.execPath,
    args: [SERVER, ...args],
    cwd: "/",
    env: { ...scrubbedEnv(OURS), OWN_KEY: "its own" },
  }));
}

const jsonOf = (result: unknown): unknown => JSON.parse((result as { text: string }).text);

/** A process that has ended but was not waited for is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("[TM10] a local server gets the environment of commands plus its settings, nothing else", async () => {
  const shop = await openPinned(children());
  const env = jsonOf(await shop.call("shop.get_env")) as Record<string, string>;
  expect(env["OWN_KEY"]).toBe("its own");
  expect(env["HOME"]).toBe("/nowhere");
  for (const name of ["ANTHROPIC_API_KEY", "DEPUTY_TOKEN", "NODE_OPTIONS", "LD_PRELOAD", "BASH_ENV"])
    expect(env).not.toHaveProperty(name);
});

test("[TM10] skips lines that are not messages", async () => {
  const shop = await openPinned(children());
  expect(jsonOf(await shop.call("shop.get_noise"))).toBe("after the noise");
});

test("[TM8] reports the last progress even if the answer follows at once", async () => {
  const shop = await openPinned(children());
  const progress = vi.fn();
  expect(jsonOf(await shop.call("shop.get_steps", {}, { progress }))).toBe("done");
  expect(progress.mock.calls).toEqual([["1 of 3"], ["3 of 3"]]);
});

test("[TM9] a message that is too large is an error that names the limit; the next call works", async () => {
  const shop = await openPinned(children());
  await expect(shop.call("shop.get_too_much")).rejects.toMatchObject({
    code: "mcp_invalid",
    message: expect.stringContaining("a message of more than 32 MB"),
  });
  await expect(shop.call("shop.write_too_much")).rejects.toMatchObject({
    code: "outcome_unknown",
    message: expect.stringContaining("a message of more than 32 MB"),
  });
  expect(jsonOf(await shop.call("shop.get_noise"))).toBe("after the noise");
});

test("[TM9] reports a list whose message is too large", async () => {
  await expect(look(children("--lists-too-much"))).rejects.toMatchObject({
    code: "mcp_invalid",
    message: expect.stringContaining("a message of more than 32 MB"),
  });
});

test("[TM10] treats a server that exits on an unknown request as an older one", async () => {
  const listing = await look(children("--dies-when-asked"));
  expect(listing.server).toEqual({ name: "child", version: "1" });
});

test("[TM10] all processes of a server end with it, even if they would not by themselves", async () => {
  const shop = await openPinned(children("--stays"));
  const helper = jsonOf(await shop.call("shop.start_helper")) as number;
  const server = jsonOf(await shop.call("shop.get_pid")) as number;
  expect([isAlive(helper), isAlive(server)]).toEqual([true, true]);
  await shop.source[Symbol.asyncDispose]();
  await expect.poll(() => [isAlive(helper), isAlive(server)]).toEqual([false, false]);
});

test("[TM6] [TM10] after a crash during a call, a read has failed, others are unknown; the next call restarts it", async () => {
  const shop = await openPinned(children());
  const before = jsonOf(await shop.call("shop.get_pid"));
  await expect(shop.call("shop.get_then_crash")).rejects.toMatchObject({ code: "mcp_disconnected" });
  await expect(shop.call("shop.write_then_crash")).rejects.toMatchObject({ code: "outcome_unknown" });
  const after = jsonOf(await shop.call("shop.get_pid"));
  expect(after).not.toBe(before);
});

test("[TM10] reports a command that does not exist, and one that is not a server", async () => {
  const missing = createChildTransports(() => ({ command: "/no/such/server", args: [], cwd: "/", env: {} }));
  await expect(look(missing)).rejects.toMatchObject({ code: "mcp_unreachable" });
  const other = createChildTransports(() => ({
    command: "true",
    args: [],
    cwd: "/",
    env: scrubbedEnv(OURS),
  }));
  await expect(look(other)).rejects.toMatchObject({ name: "ToolsError" });
});

test("[TM10] a server that ends by itself is reported with its exit code and its last words", async () => {
  const missing = () =>
    createChildTransports(() => ({
      command: process.execPath,
      args: ["-e", 'process.stderr.write("starting\\nMISSING ENV: SHOP_KEY\\n", () => process.exit(3))'],
      cwd: "/",
      env: scrubbedEnv(OURS),
    }));
  await expect(look(missing())).rejects.toMatchObject({
    code: "mcp_unreachable",
    message: expect.stringMatching(/has ended \(exit code 3\); it said: starting.*MISSING ENV: SHOP_KEY/s),
  });
});

test("[TM10] a server that never answers is reported with its last words, too", async () => {
  const waiting = createChildTransports(() => ({
    command: process.execPath,
    args: ["-e", 'process.stderr.write("MISSING ENV: SHOP_KEY\\n"); setInterval(() => undefined, 1_000)'],
    cwd: "/",
    env: scrubbedEnv(OURS),
  }));
  await expect(look(waiting, "shop", { connectMs: 2_000 })).rejects.toMatchObject({
    code: "mcp_unreachable",
    message: "shop: it did not answer in time; it said: MISSING ENV: SHOP_KEY",
  });
});

test("[TM10] a server that crashes during a call is reported with its last words", async () => {
  const shop = await openPinned(children());
  await expect(shop.call("shop.get_then_crash")).rejects.toMatchObject({
    code: "mcp_disconnected",
    message: expect.stringMatching(/has ended \(exit code \d+\); it said: out of stock/),
  });
});

test("[TM10] more servers than Node expects listeners run without a warning", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  const before = process.getMaxListeners();
  const transports = await Promise.all(Array.from({ length: 12 }, () => children()()));
  await Promise.all(transports.map(({ transport }) => transport.start()));
  await Promise.all(transports.map(({ transport }) => transport.close()));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
  expect(process.getMaxListeners()).toBe(before);
});
