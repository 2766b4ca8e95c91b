import { createHmac } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type Daemon, jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

interface Added {
  readonly path: string;
  readonly secret: string;
}

const hooks = (home: string, args: readonly string[], input?: string, env?: Record<string, string>) =>
  runDeputy(["hooks", ...args, "--json", "--home", home], {
    ...(input === undefined ? {} : { input }),
    ...(env === undefined ? {} : { env }),
  });

async function addHook(home: string, ...args: string[]): Promise<Added> {
  const { code, stdout, stderr } = await hooks(home, ["add", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return jsonLines(stdout)[0] as unknown as Added;
}

async function deliveries(home: string, name: string): Promise<Record<string, unknown>[]> {
  const { code, stdout } = await hooks(home, ["deliveries", name]);
  expect(code).toBe(0);
  return jsonLines(stdout);
}

/** Like a sender of standard webhooks. */
function deliver(daemon: Daemon, { path, secret }: Added, id: string, query = ""): Promise<Response> {
  const body = JSON.stringify({ state: "failed", build: id });
  const at = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  return fetch(new URL(path + query, daemon.url), {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": at,
      "webhook-signature": `v1,${signature}`,
    },
  });
}

test("[E350] creates a hook, shows it once, accepts deliveries at once, and removes it again", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path);
  const hook = await addHook(home.path, "builds");
  expect(hook.path).toMatch(/^\/api\/hooks\/[\w-]{43}$/);
  expect(hook.secret).toMatch(/^whsec_/);
  const kept = readFileSync(join(home.path, "hooks.json"), "utf8");
  expect(kept).not.toContain(hook.path.slice("/api/hooks/".length));
  expect(statSync(join(home.path, "hooks.json")).mode & 0o777).toBe(0o600);

  expect((await deliver(daemon, hook, "one")).status).toBe(202);
  expect(await deliveries(home.path, "builds")).toMatchObject([
    { type: "delivery", deliveryId: "one", payload: { state: "failed", build: "one" }, scheme: "standard" },
  ]);
  const listed = await hooks(home.path, ["list"]);
  expect(jsonLines(listed.stdout)).toMatchObject([{ type: "hook", name: "builds", scheme: "standard" }]);
  expect(listed.stdout).not.toContain(hook.secret);

  // With another address and secret it is still the same hook; those of before are refused.
  const renewed = jsonLines((await hooks(home.path, ["renew", "builds"])).stdout)[0] as unknown as Added;
  expect([renewed.path === hook.path, renewed.secret === hook.secret]).toEqual([false, false]);
  expect((await deliver(daemon, hook, "late")).status).toBe(401);
  expect((await deliver(daemon, renewed, "new")).status).toBe(202);
  expect(await deliveries(home.path, "builds")).toMatchObject([{ deliveryId: "one" }, { deliveryId: "new" }]);

  expect((await hooks(home.path, ["add", "builds"])).code).toBe(2);
  expect((await hooks(home.path, ["remove", "builds"])).code).toBe(0);
  expect((await deliver(daemon, renewed, "two")).status).toBe(401);
  expect((await hooks(home.path, ["remove", "builds"])).code).toBe(1);
  // Another hook of the same name does not have the first one's deliveries.
  await addHook(home.path, "builds");
  expect(await deliveries(home.path, "builds")).toEqual([]);
});

test("[E351] (GC37) ten equal deliveries, with other queries, before and after a restart: one event", async () => {
  using home = scratchDirectory();
  const hook = await addHook(home.path, "builds");
  for (let start = 0; start < 2; start++) {
    await using daemon = await startDaemon(home.path);
    for (const query of ["", "?a=1&b=2", "?b=2&a=1", "?a=1", "?x"])
      expect((await deliver(daemon, hook, "one", query)).status).toBe(202);
    await daemon.end(start === 0 ? "SIGKILL" : "SIGTERM");
  }
  expect(await deliveries(home.path, "builds")).toHaveLength(1);
});

test("[E352] (GC37) killed between commit and answer, and sent ten times again: one event", async () => {
  using home = scratchDirectory();
  const hook = await addHook(home.path, "builds");
  const killer = join(home.path, "killer.mjs");
  // Runs in the daemon's own process: when the answer is about to be written, the delivery is committed.
  writeFileSync(
    killer,
    `import { ServerResponse } from "node:http";
import { writeFileSync } from "node:fs";
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (status, ...rest) {
  if (status === 202) {
    writeFileSync(${JSON.stringify(join(home.path, "killed"))}, "");
    process.kill(process.pid, "SIGKILL");
  }
  return writeHead.call(this, status, ...rest);
};
`,
  );
  {
    await using daemon = await startDaemon(home.path, [], {
      DEPUTY_TOKEN: TOKEN,
      NODE_OPTIONS: `--import=${pathToFileURL(killer).href}`,
    });
    await expect(deliver(daemon, hook, "one")).rejects.toThrow("fetch failed");
    expect(readFileSync(join(home.path, "killed"), "utf8")).toBe("");
  }
  expect(await deliveries(home.path, "builds"), "it is committed, and unacknowledged").toHaveLength(1);
  await using daemon = await startDaemon(home.path);
  for (let n = 0; n < 10; n++) {
    const answer = await deliver(daemon, hook, "one");
    expect([answer.status, await answer.json()]).toEqual([202, { deliveryId: "one", duplicate: true }]);
  }
  expect(await deliveries(home.path, "builds")).toHaveLength(1);
});

test("[E353] a payload must match the schema of its hook; secrets are references, or kept from stdin", async () => {
  using home = scratchDirectory();
  const schema = join(home.path, "schema.json");
  writeFileSync(
    schema,
    JSON.stringify({ type: "object", required: ["state"], properties: { state: { const: "ok" } } }),
  );
  const hook = await addHook(home.path, "builds", "--schema", schema, "--max-bytes", "500");
  const env = { SLACK_SECRET: "8f742231b10e8888abcd99yyyzzz85a5" };
  const added = await hooks(
    home.path,
    ["add", "chat", "--scheme", "slack", "--secret", "env:SLACK_SECRET"],
    "",
    env,
  );
  expect([added.code, added.stdout.includes(env.SLACK_SECRET)]).toEqual([0, false]);
  expect(
    (
      await hooks(
        home.path,
        ["add", "pay", "--scheme", "stripe", "--secret", "-"],
        "whsec_0123456789abcdef\n",
      )
    ).code,
  ).toBe(0);
  expect(readFileSync(join(home.path, "hooks.json"), "utf8")).not.toContain(env.SLACK_SECRET);

  await using daemon = await startDaemon(home.path, [], { DEPUTY_TOKEN: "test-token-0123456789", ...env });
  const refused = await deliver(daemon, hook, "one");
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining("body.state"),
  ]);
  expect(await deliveries(home.path, "builds")).toEqual([]);
});

test.each([
  [["add", "Builds"], 2, "small letters"],
  [["add", "x", "--scheme", "slack"], 2, "The sender issues the secret"],
  [["add", "x", "--scheme", "twilio", "--secret", "-"], 2, "--url"],
  [["add", "x", "--secret", "hunter2-hunter2-hunter2"], 2, "must not be on the command line"],
  [["add", "x", "--secret", "env:NOT_SET"], 1, "env:NOT_SET"],
  [["add", "x", "--url", "hooks.example.org"], 2, "--url"],
  [["add", "x", "--max-bytes", "99999999"], 2, "--max-bytes"],
  [["add", "x", "--scheme", "plivo"], 2, "plivo"],
  [["deliveries", "nothing"], 1, "nothing"],
])("[E353] reports what is impossible, and creates nothing: %j", async (args, code, said) => {
  using home = scratchDirectory();
  const finished = await hooks(home.path, args, "0123456789abcdef");
  expect(finished.code).toBe(code);
  expect(finished.stdout + finished.stderr).toContain(said);
  expect((await hooks(home.path, ["list"])).stdout).toBe("");
});

test("[E354] (GC21) does not use hooks that others could read, and the daemon does not start with them", async () => {
  using home = scratchDirectory();
  await addHook(home.path, "builds");
  chmodSync(join(home.path, "hooks.json"), 0o644);
  expect((await hooks(home.path, ["list"])).stdout).toContain("hooks_invalid");
  const { code, stderr } = await runDeputy(["serve", "--port", "0", "--home", home.path]);
  expect([code, stderr.includes("hooks.json")]).toEqual([1, true]);
});
