import assert from "node:assert/strict";
import { sign } from "@octokit/webhooks-methods";
import { Webhook as Standard } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as Svix } from "svix";
import { hooks, holds } from "./say.mjs";

const now = new Date();
const seconds = String(Math.floor(now.getTime() / 1000));
const body = (id) => JSON.stringify({ id, type: "order.paid", data: { sum: 12 } });

async function post(hook, text, headers) {
  const response = await fetch(hook.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: text,
  });
  return [response.status, (await response.json()).duplicate];
}

/** The delivery is taken once, known again, and refused where it was changed on the way. */
async function sent(hook, headersOf) {
  const text = body(`evt_${hook.name}`);
  const headers = await headersOf(text);
  assert.deepEqual(await post(hook, text, headers), [202, false]);
  assert.deepEqual(await post(hook, text, headers), [202, true]);
  assert.equal((await post(hook, text.replace("12", "1200"), headers))[0], 401);
}

await holds("Standard Webhooks' own library", async () =>
  sent(hooks.standard, (text) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": seconds,
    "webhook-signature": new Standard(hooks.standard.secret).sign("msg_1", now, text),
  })),
);
await holds("Svix's own library", async () =>
  sent(hooks.svix, (text) => ({
    "svix-id": "msg_2",
    "svix-timestamp": seconds,
    "svix-signature": new Svix(hooks.svix.secret).sign("msg_2", now, text),
  })),
);
await holds("GitHub's own library", async () =>
  sent(hooks.github, async (text) => ({
    "x-github-event": "issues",
    "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    "x-hub-signature-256": await sign(hooks.github.secret, text),
  })),
);
await holds("Stripe's own library", async () =>
  sent(hooks.stripe, (payload) => ({
    "stripe-signature": new Stripe("sk_test_x").webhooks.generateTestHeaderString({
      payload,
      secret: hooks.stripe.secret,
    }),
  })),
);
