import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { serveTelegram } from "@deputy/testing/chat-apps";
import { serveNtfy, serveSmtp, SMTP_PASSWORD, SMTP_USER } from "@deputy/testing/notify";
import { createCatalogue } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { openAgents } from "../agents/open-agents.ts";
import { openHome } from "../home.ts";
import { createSetupDoor } from "./create-setup-door.ts";
import type { SetupDeps } from "./setup-deps.ts";

const here = { signal: new AbortController().signal, isOnThisMachine: true };
const elsewhere = { ...here, isOnThisMachine: false };

function setup(config: object = {}, more: Partial<SetupDeps> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "home-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "config.json");
  writeFileSync(file, JSON.stringify(config));
  writeFileSync(join(directory, "token"), "0123456789abcdef-secret", { mode: 0o600 });
  mkdirSync(join(directory, "agents", "main", "skills", "mine"), { recursive: true });
  writeFileSync(join(directory, "agents", "main", "SOUL.md"), "Be kind.");
  const home = openHome(directory, () => undefined);
  const learnt: string[] = [];
  const door = createSetupDoor({
    home,
    env: {},
    refusal: undefined,
    clock: createSystemClock(),
    redact: (text) => text,
    learnSecret: (value) => void learnt.push(value),
    catalogue: async () => createCatalogue([]),
    agents: openAgents(home, directory).registry,
    defaultModel: { provider: "rehearsal", model: "tour" },
    ...more,
  });
  const hash = async () => (await door["settings.list"]({}, here)).hash;
  const written = () => JSON.parse(readFileSync(file, "utf8")) as object;
  return { directory, file, door, hash, written, learnt };
}

test.each([
  "../token",
  "agents/main/../../token",
  "agents/main/SOUL.md/../../../token",
  "agents/../token",
  "agents/main/config.json",
  "agents/nobody/SOUL.md",
  "agents/main/skills/../../../token/SKILL.md",
  "agents/main/skills/%2e%2e/SKILL.md",
  "skills/../token",
  "skills/mine/notes.md",
  "skills/mine\\..\\x/SKILL.md",
  "/etc/passwd",
  "agents/main/soul.md",
  "agents//SOUL.md",
])("[E480] a document that is not one of theirs is neither read nor written: %s", async (id) => {
  const { door, directory } = setup();
  await expect(door["documents.read"]({ id }, here)).rejects.toMatchObject({ code: "not_found" });
  await expect(door["documents.write"]({ id, text: "x", baseHash: null }, here)).rejects.toMatchObject({
    code: "not_found",
  });
  expect(readFileSync(join(directory, "token"), "utf8")).toBe("0123456789abcdef-secret");
});

test("[E480] a link that leads out of the folder is neither read nor written through, also one that leads nowhere", async () => {
  const { door, directory } = setup();
  symlinkSync(join(directory, "token"), join(directory, "agents", "main", "USER.md"));
  symlinkSync(join(directory, "new-file"), join(directory, "agents", "main", "TOOLS.md"));
  for (const id of ["agents/main/USER.md", "agents/main/TOOLS.md"]) {
    await expect(door["documents.read"]({ id }, here)).rejects.toMatchObject({ code: "file_unreadable" });
    await expect(door["documents.write"]({ id, text: "x", baseHash: null }, here)).rejects.toMatchObject({
      code: "file_unreadable",
    });
  }
  expect(readFileSync(join(directory, "token"), "utf8")).toBe("0123456789abcdef-secret");
});

test("[E480] a document is written only as it was read; a new skill gets its folder", async () => {
  const { door, directory } = setup();
  const id = "agents/main/SOUL.md";
  const { text, hash } = await door["documents.read"]({ id }, here);
  expect(text).toBe("Be kind.");
  writeFileSync(join(directory, id), "Be long.");
  await expect(door["documents.write"]({ id, text: "Mine", baseHash: hash }, here)).rejects.toMatchObject({
    code: "changed_meanwhile",
  });
  expect(readFileSync(join(directory, id), "utf8")).toBe("Be long.");
  await door["documents.write"]({ id: "skills/tea/SKILL.md", text: "Tea", baseHash: null }, here);
  const { documents } = await door["documents.list"]({}, here);
  expect(documents.map((one) => one.id)).toContain("skills/tea/SKILL.md");
});

test("[E481] one setting is written if it fits and the file is as it was read; everything else in it stays", async () => {
  const { door, hash, written } = setup({ unknown: 1, gateway: { port: 1 } });
  const baseHash = await hash();
  const path = ["gateway", "maxQueueSize"];
  await expect(door["settings.set"]({ path, value: 0, baseHash }, here)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.not.stringContaining("gateway"),
  });
  await expect(door["settings.set"]({ path, value: 5, baseHash: "old" }, here)).rejects.toMatchObject({
    code: "changed_meanwhile",
  });
  const { setting } = await door["settings.set"]({ path, value: 5, baseHash }, here);
  expect(setting).toMatchObject({ value: 5, from: "file", effect: "restart", isPending: true });
  expect(written()).toEqual({ unknown: 1, gateway: { port: 1, maxQueueSize: 5 } });
  await door["settings.unset"]({ path, baseHash: await hash() }, here);
  expect(written()).toEqual({ unknown: 1, gateway: { port: 1 } });
  for (const name of [["__proto__"], ["gateway"], ["nothing", "here"], ["agents", "list", "main", "model"]])
    await expect(
      door["settings.set"]({ path: name, value: 1, baseHash: await hash() }, here),
    ).rejects.toMatchObject({ code: "unknown_setting" });
});

test("[E481] every setting has a row, says when it counts, and what an environment variable overrides", async () => {
  const { door } = setup({ gateway: { port: 1 } }, { env: { DEPUTY_PORT: "7" } });
  const { settings } = await door["settings.list"]({}, here);
  const row = (name: string) => settings.find(({ path }) => path.join(".") === name);
  expect(row("gateway.port")).toMatchObject({
    from: "environment",
    variable: "DEPUTY_PORT",
    given: 7,
    value: 1,
    effect: "start",
  });
  expect(row("providers.local.baseUrl")).toMatchObject({ effect: "at_once", from: "default" });
  expect(row("agent.maxTurns")).toMatchObject({ effect: "restart", schema: { type: "integer", minimum: 1 } });
  expect(row("adapters.slack.socketMode")).toMatchObject({ effect: "none" });
  expect(row("agents.list")).toMatchObject({ default: {} });
});

test("[E482] a plain secret is not shown, stays where it is while others are edited, and is never given to another entry", async () => {
  const server = (name: string, key: string) => ({
    type: "mcp",
    name,
    command: "x",
    env: { API_TOKEN: key },
  });
  const { door, hash, written } = setup({ toolSources: [server("a", "secret-a"), server("b", "secret-b")] });
  const shown = await door["settings.list"]({}, here);
  expect(JSON.stringify(shown)).not.toMatch(/secret-[ab]/);
  const value = shown.settings.find(({ path }) => path[0] === "toolSources")?.value as object[];
  const save = async (changed: unknown) =>
    door["settings.set"]({ path: ["toolSources"], value: changed, baseHash: await hash() }, here);
  await save(value.toReversed());
  expect(written()).toEqual({ toolSources: [server("b", "secret-b"), server("a", "secret-a")] });
  await expect(save([{ ...value[0], name: "c" }])).rejects.toMatchObject({ code: "config_invalid" });
  expect(written()).toEqual({ toolSources: [server("b", "secret-b"), server("a", "secret-a")] });
});

test("[E483] what runs programs here is changed, looked at and connected only from this machine", async () => {
  const { door, hash, directory } = setup();
  const trace = join(directory, "trace");
  const baseHash = await hash();
  for (const path of [["toolSources"], ["mcpServers"], ["tools", "browser", "path"]])
    await expect(door["settings.set"]({ path, value: [], baseHash }, elsewhere)).rejects.toMatchObject({
      code: "not_from_here",
    });
  await expect(
    door["sources.look"]({ kind: "mcp", name: "x", command: ["touch", trace] }, elsewhere),
  ).rejects.toMatchObject({ code: "not_from_here" });
  await expect(door["sources.look"]({ kind: "plugin", where: "./x.ts" }, elsewhere)).rejects.toMatchObject({
    code: "not_from_here",
  });
  expect(() => readFileSync(trace)).toThrow();
});

test("[E483] a plugin that cannot be loaded says why when it is looked at, and what to do there", async () => {
  const { door, directory } = setup();
  const where = join(directory, "broken.mjs");
  writeFileSync(where, "throw new Error('on purpose');");
  await expect(door["sources.look"]({ kind: "plugin", where }, here)).rejects.toMatchObject({
    message: expect.stringContaining("on purpose"),
    hint: "Nothing was changed. Correct the plugin, and look again.",
  });
});

test("[E484] a key is learnt before it is tried, and a model that refuses it changes nothing", async () => {
  const { door, written, learnt } = setup();
  const server = createServer((_request, response) => void response.writeHead(401).end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const params = { provider: "local", model: "m", baseUrl, key: "sk-secret" } as const;
  expect(await door["models.connect"](params, here)).toMatchObject({ outcome: "failed" });
  expect([learnt, written()]).toEqual([["sk-secret"], {}]);
  await expect(door["models.connect"]({ ...params, key: "two words" }, here)).rejects.toMatchObject({
    code: "usage",
  });
  const { door: fixed } = setup({}, { env: { DEPUTY_MODEL: "rehearsal/tour" } });
  await expect(fixed["models.connect"](params, here)).rejects.toMatchObject({ code: "not_available" });
});

test("[E486] the page connects a chat app as the command does: tried first, kept only if it is accepted, the token in a file of its own", async () => {
  await using telegram = await serveTelegram();
  const { door, written, directory, learnt } = setup({
    adapters: { telegram: { apiRoot: telegram.apiRoot } },
  });
  const { channels } = await door["channels.list"]({}, here);
  expect(channels.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["telegram", "slack", "mail", "push"]),
  );
  expect(channels.every(({ isConnected }) => !isConnected)).toBe(true);
  const connect = (channel: string, values: Record<string, string>) =>
    door["channels.connect"]({ channel, values }, here);
  const before = written();
  expect(await connect("telegram", { botToken: "123:wrong" })).toMatchObject({
    outcome: "failed",
    message: "Telegram does not accept the token",
    hint: expect.any(String),
  });
  expect(await connect("telegram", {})).toMatchObject({ outcome: "failed" });
  await expect(connect("telegram", { botToken: "file:token" })).rejects.toMatchObject({ code: "usage" });
  await expect(connect("__proto__", {})).rejects.toMatchObject({ code: "not_found" });
  expect(written()).toEqual(before);
  expect(await connect("telegram", { botToken: telegram.token })).toEqual({
    outcome: "connected",
    as: "@deputy_test_bot",
  });
  expect(learnt).toContain(telegram.token);
  expect(written()).toMatchObject({
    adapters: { telegram: { enabled: true, botToken: expect.any(String) } },
  });
  expect(JSON.stringify(written())).not.toContain(telegram.token);
  expect(statSync(join(directory, "keys", "telegram")).mode & 0o777).toBe(0o600);
});

test("[E486] mail and push are connected the same way, with a first message; a browser's address cannot lead into this machine", async () => {
  await using smtp = await serveSmtp();
  await using ntfy = await serveNtfy();
  const { door, written } = setup();
  const connect = (channel: string, values: Record<string, string>) =>
    door["channels.connect"]({ channel, values }, here);
  const mail = {
    host: "127.0.0.1",
    port: String(smtp.port),
    secure: "none",
    user: SMTP_USER,
    to: "a@example.org, b@example.org",
  };
  expect(await connect("mail", { ...mail, password: "wrong" })).toEqual({
    outcome: "failed",
    message: "The mail server does not accept the sign-in",
    hint: "Nothing was changed.",
  });
  expect(await connect("mail", { ...mail, password: SMTP_PASSWORD, to: "nobody" })).toMatchObject({
    outcome: "failed",
    message: "“nobody” is no mail address",
    hint: "Such as ada@example.org.",
  });
  expect(await connect("mail", { ...mail, password: SMTP_PASSWORD, port: "many" })).toMatchObject({
    outcome: "failed",
    message: "“many” is no number",
  });
  expect(written()).not.toHaveProperty("adapters");
  expect(await connect("mail", { ...mail, password: SMTP_PASSWORD })).toEqual({
    outcome: "connected",
    as: SMTP_USER,
  });
  expect(smtp.mails).toMatchObject([{ to: ["a@example.org", "b@example.org"] }]);
  const push = { "ntfy.server": ntfy.origin, "ntfy.topicSecret": "ada-7f3k" };
  expect(await connect("push", push)).toMatchObject({ outcome: "failed" });
  expect(await connect("push", { ...push, "ntfy.token": ntfy.token })).toMatchObject({
    outcome: "connected",
  });
  expect(ntfy.messages).toMatchObject([{ topic: "ada-7f3k" }]);
  expect(JSON.stringify(written())).not.toMatch(/ada-7f3k|battery/);
  const keys = { p256dh: "BCVxsr7N_eNgVRqvHtD0", auth: "BTBZMqHH6r4Tts7J_aSIgg" };
  const { key } = await door["push.key"]({}, here);
  expect(Buffer.from(key, "base64url")).toHaveLength(65);
  expect(await door["push.key"]({}, here)).toEqual({ key });
  await expect(
    door["push.subscribe"]({ endpoint: "http://127.0.0.1:1/x", ...keys }, here),
  ).rejects.toMatchObject({ code: "usage" });
  const endpoint = "https://push.example/1";
  expect(await door["push.subscribe"]({ endpoint, ...keys }, here)).toEqual({ turnedOn: false });
  expect(await door["push.unsubscribe"]({ endpoint }, here)).toEqual({ ok: true });
});
