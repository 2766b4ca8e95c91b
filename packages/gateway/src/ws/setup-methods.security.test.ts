import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPageSessions, type SignInRecord } from "../sign-in/page-sessions.ts";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { type AskedSetup, setupDoorFixture } from "../test/setup-door.fixture.ts";
import { signIn } from "../test/socket-client.ts";

async function setup(overrides: Parameters<typeof startTestGateway>[0] = {}) {
  const asked: AskedSetup[] = [];
  const restarts: string[] = [];
  const gateway = await startTestGateway({
    setup: async () => setupDoorFixture(asked),
    restart: () => void restarts.push("restart"),
    ...overrides,
  });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const recorded = async () =>
    (await Array.fromAsync(gateway.log.read("system")))
      .filter(({ type }) => type === "setup.changed")
      .map(({ data }) => data as { what: string; name: string });
  return { ...gateway, asked, restarts, recorded, client: await signIn(gateway.url) };
}

test("[G92] a conversation takes only a model that is configured", async () => {
  const { client } = await setup();
  const wrong = { model: "openai/elsewhere" };
  await expect(client.call("sessions.create", wrong)).rejects.toThrow("not among");
  const { sessionId } = await client.call("sessions.create", { model: "local/other" });
  await expect(client.call("sessions.update", { sessionKey: sessionId, ...wrong })).rejects.toThrow(
    "not among",
  );
  expect((await client.call("sessions.list")).sessions).toMatchObject([{ model: "local/other" }]);
});

test("[G97] what the owner changes is in the log before the answer, without any value; what only looks is not", async () => {
  const { client, recorded } = await setup();
  await client.call("settings.list");
  await client.call("models.look", { baseUrl: "http://127.0.0.1:1", key: "a-secret" });
  expect(await recorded()).toEqual([]);
  await client.call("settings.set", { path: ["gateway", "port"], value: "a-secret", baseHash: "h" });
  await client.call("documents.write", { id: "agents/main/SOUL.md", text: "a-secret", baseHash: null });
  await client.call("models.connect", { provider: "local", model: "m", key: "a-secret" });
  await client.call("sources.remove", { name: "shelf" });
  await client.call("channels.connect", { channel: "mail", values: { password: "a-secret" } });
  const changes = await recorded();
  expect(changes).toEqual([
    { by: "owner", what: "setting", name: "gateway.port" },
    { by: "owner", what: "document", name: "agents/main/SOUL.md" },
    { by: "owner", what: "model", name: "local/m" },
    { by: "owner", what: "source", name: "shelf" },
    { by: "owner", what: "setting", name: "adapters.mail" },
  ]);
  expect(JSON.stringify(changes)).not.toContain("a-secret");
});

test("[G97] a model that is not kept restarts nothing and is not recorded; one that is restarts after the answer", async () => {
  const { client, restarts, recorded } = await setup();
  await client.call("models.connect", { provider: "local", model: "dumb" });
  await client.call("channels.connect", { channel: "pigeon", values: {} });
  expect([restarts, await recorded()]).toEqual([[], []]);
  await client.call("models.connect", { provider: "local", model: "clever" });
  await vi.waitFor(() => expect(restarts).toHaveLength(1));
});

test("[G97] a page of another site, or one behind a proxy, is not on this machine; a program and our own page are", async () => {
  const { url, asked } = await setup({ origins: ["http://localhost:5173"] });
  const ask = async (headers: Record<string, string>) => {
    const client = await signIn(url, undefined, headers);
    await client.call("sources.list");
    return asked.at(-1)?.context.isOnThisMachine;
  };
  expect(await ask({})).toBe(true);
  expect(await ask({ origin: url })).toBe(true);
  expect(await ask({ origin: "http://localhost:5173" })).toBe(false);
  expect(await ask({ "x-forwarded-for": "10.0.0.1" })).toBe(false);
});

test("[G97] without a door, nothing can be changed, and it says so", async () => {
  const { client } = await setup({ setup: undefined, restart: undefined });
  for (const method of ["settings.list", "daemon.restart", "sources.list"])
    expect((await client.failure(method)).data.code).toBe("not_available");
});

test("[G98] browsers are listed with the one that asks; a revoked one is out at once, over HTTP and the socket", async () => {
  const { url, post } = await setup();
  const issue = async () =>
    (
      (await (await post("/api/sign-in/sessions", {}, { "user-agent": "Mine/1" })).json()) as {
        session: string;
      }
    ).session;
  const [own, other] = [await issue(), await issue()];
  const client = await signIn(url, own);
  const lost = await signIn(url, other);
  const { signIns } = await client.call("signIns.list");
  expect(signIns.map(({ isThis, client: name }) => [isThis, name])).toHaveLength(2);
  expect(signIns.filter(({ isThis }) => isThis)).toMatchObject([{ client: "Mine/1", from: "127.0.0.1" }]);
  expect(JSON.stringify(signIns)).not.toContain(own);
  const id = signIns.find(({ isThis }) => !isThis)?.id;
  await client.call("signIns.revoke", { id });
  expect((await lost.closed).code).toBe(4401);
  const headers = { authorization: `Bearer ${other}` };
  expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(401);
  expect((await client.failure("signIns.revoke", { id })).data.code).toBe("not_found");
});

test("[G98] sign-ins outlive a restart where they are kept, a revoked one does not, and an unreadable list signs everybody out", async () => {
  const clock = createFakeClock();
  let kept: readonly SignInRecord[] = [];
  const store = {
    read: () => kept,
    write: (records: readonly SignInRecord[]) => {
      kept = records;
    },
  };
  const open = () => createPageSessions({ clock, token: () => "token", store });
  const first = open();
  const [a, b] = [first.issue().session, first.issue().session];
  expect(first.revoke(first.idOf(b) ?? "")).toBe(true);
  const second = open();
  expect([second.check(a, "token"), second.check(b, "token")]).toEqual([true, false]);
  expect(second.list()).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain(a);
  kept = [];
  expect(open().check(a, "token")).toBe(false);
  // Those of another token are no longer listed.
  expect(
    createPageSessions({
      clock,
      token: () => "other",
      store: { ...store, read: () => second.list() as never },
    }).list(),
  ).toEqual([]);
});
