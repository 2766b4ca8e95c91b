import { createECDH } from "node:crypto";
import { createIdSource } from "@deputy/kit";
import type { ApprovalId } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { serveNtfy, servePush } from "@deputy/testing/notify";
import { expect, onTestFinished, test } from "vitest";
import { createPushChannel } from "./push-channel.ts";
import { createVapidKeys, encryptPush, type PushSubscription, vapidKeysOf } from "./web-push.ts";

const never = new AbortController().signal;
const clock = createFakeClock({ startMs: Date.now() });
const asks = createIdSource({ clock }).next("call") as ApprovalId;
const keys = createVapidKeys();

async function setup(content: "short" | "full" = "short") {
  const ntfy = await serveNtfy();
  const push = await servePush(() => keys.publicKey);
  onTestFinished(async () => {
    await ntfy[Symbol.asyncDispose]();
    await push[Symbol.asyncDispose]();
  });
  let subscriptions: readonly PushSubscription[] = [push.subscription];
  const web = {
    keys: () => keys,
    contact: "mailto:ada@example.org",
    subscriptions: () => subscriptions,
    forget: (endpoint: string) => {
      subscriptions = subscriptions.filter((one) => one.endpoint !== endpoint);
    },
    fetch,
  };
  const pageOf = (id?: ApprovalId): string => `https://deputy.example/#/approvals?q=${id ?? ""}`;
  const ntfyOptions = { server: ntfy.origin, topic: () => "ada-7f3k", token: () => ntfy.token, content };
  const open = (which: "both" | "ntfy" | "web" | "none") =>
    createPushChannel({
      ntfy: which === "both" || which === "ntfy" ? ntfyOptions : undefined,
      web: which === "both" || which === "web" ? web : undefined,
      pageOf,
      fetch,
      clock,
    });
  return { ntfy, push, open, count: () => subscriptions.length };
}

test("[NT5] it encrypts exactly as the example of RFC 8291 does", () => {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url");
  const sealed = encryptPush(
    Buffer.from("When I grow up, I want to be a watermelon"),
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    { salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"), pair },
  );
  expect(sealed.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("[NT5] [NT3] a browser reads what is for it, however long, and a click opens the page", async () => {
  const { push, open } = await setup();
  expect(vapidKeysOf(keys.privateKey)).toEqual(keys);
  await open("web").send({ key: "k", from: "the task", text: 'é€😀"\n'.repeat(3_000), asks }, never);
  await open("web").send({ key: "k2", from: "the task", text: "Done." }, never);
  const [long, short] = push.messages.map(({ text }) => JSON.parse(text) as Record<string, string>);
  expect(long).toMatchObject({ title: "Deputy waits for you", tag: asks, url: `#/approvals?q=${asks}` });
  expect(long?.["body"]).toMatch(/^é€😀"\n.*…$/su);
  expect(short).toMatchObject({ title: "Deputy: the task", body: "Done." });
  expect(push.messages).toMatchObject([
    { urgency: "high", contact: "mailto:ada@example.org" },
    { urgency: "normal" },
  ]);
});

test("[NT6] ntfy is told that something waits, and what only if that is wanted", async () => {
  const { ntfy, open } = await setup();
  await open("ntfy").send({ key: "k", from: "the task", text: "Pay 40 €?", asks }, never);
  expect(ntfy.messages).toEqual([
    {
      topic: "ada-7f3k",
      title: "Deputy asks: the task",
      message: "Deputy waits for your answer.",
      priority: 4,
      click: `https://deputy.example/#/approvals?q=${asks}`,
      actions: [{ action: "view", label: "Open", url: `https://deputy.example/#/approvals?q=${asks}` }],
    },
  ]);
  const full = await setup("full");
  await full.open("ntfy").send({ key: "k", from: "the task", text: "x".repeat(9_000) }, never);
  expect(full.ntfy.messages).toMatchObject([{ message: expect.stringMatching(/^x{3000,4096}$/) }]);
});

test("[NT2] what was not sent says whether later it may be, and never a token", async () => {
  const { ntfy, open } = await setup();
  const channel = open("ntfy");
  const message = { key: "k", from: "x", text: "y" };
  ntfy.fail({ status: 429, headers: { "retry-after": "7" } });
  await expect(channel.send(message, never)).rejects.toMatchObject({
    code: "not_taken",
    retryAfterMs: 7_000,
  });
  const later = new Date(clock.now() + 90_000).toUTCString();
  ntfy.fail({ status: 503, headers: { "retry-after": later } });
  const { retryAfterMs } = (await channel.send(message, never).catch((error: unknown) => error)) as {
    retryAfterMs: number;
  };
  expect(retryAfterMs).toBeGreaterThan(88_000);
  ntfy.fail({ status: 401 });
  const refused = (await channel.send(message, never).catch((error: unknown) => error)) as Error;
  expect(refused).toMatchObject({ code: "not_accepted" });
  expect(JSON.stringify([refused.message, refused])).not.toMatch(new RegExp(`${ntfy.token}|ada-7f3k`));
  ntfy.fail({ status: 302, headers: { location: "http://127.0.0.1:1/" } });
  await expect(channel.send(message, never)).rejects.toMatchObject({ code: "not_taken" });
  const reason = new Error("called off");
  await expect(channel.send(message, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(ntfy.messages).toEqual([]);
});

test("[NT7] one place is enough; one that had it gets it once; one that ended is forgotten", async () => {
  const { ntfy, push, open, count } = await setup();
  const channel = open("both");
  const message = { key: "k", from: "x", text: "y" };
  push.fail({ status: 500 });
  await channel.send(message, never);
  await channel.send(message, never);
  expect(ntfy.messages).toHaveLength(1);
  expect(push.messages).toHaveLength(1);
  push.unsubscribe();
  await channel.send({ ...message, key: "k2" }, never);
  expect(count()).toBe(0);
  await expect(open("none").send(message, never)).rejects.toMatchObject({
    code: "not_accepted",
    hint: expect.stringContaining("channels add push"),
  });
});
