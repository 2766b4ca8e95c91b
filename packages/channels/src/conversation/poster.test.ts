import { createSystemClock, parseId } from "@deputy/kit";
import { expect, test } from "vitest";
import { ChannelsError } from "../channels-error.ts";
import type { ChatApp } from "../chat-app.ts";
import { plainText } from "../text/styled-text.ts";
import { createPoster } from "./poster.ts";

const SESSION = "ses_01HZY3V5K6M7N8P9Q0R1S2T3V4";
const never = new AbortController().signal;

/** An app that has forgotten all keys, but can look for messages. */
function setup(there: ReadonlyMap<string, string>) {
  const done: string[] = [];
  const slept: number[] = [];
  const clock = { ...createSystemClock(), sleep: async (ms: number) => void slept.push(ms) };
  const app: { -readonly [Key in keyof ChatApp]: ChatApp[Key] } = {
    name: "app",
    can: { maxChars: 100, measure: (runs) => runs.length, deduplicates: true, editEveryMs: 0 },
    receive: async () => undefined,
    identify: async () => "@deputy",
    find: async (_place, key) => there.get(key),
    post: async (_place, _message, key) => {
      done.push(`post ${key}`);
      return "new";
    },
    edit: async (_place, ref) => void done.push(`edit ${ref}`),
    typing: async () => undefined,
  };
  const journal = {
    posting: async () => undefined,
    posted: async (item: string, part: number, ref: string) =>
      void done.push(`posted ${item} ${part} ${ref}`),
    shown: async () => undefined,
  };
  const session = parseId("session", SESSION) ?? expect.fail();
  const files = new Map([["b1", new Uint8Array([1, 2, 3])]]);
  const door = { download: async (blobId: string) => files.get(blobId) };
  const poster = createPoster({
    app,
    door,
    place: "1",
    session,
    journal,
    open: [{ item: "answer 1", part: 0 }],
    clock,
  });
  return { app, slept, poster, done, key: `${session} answer 1 0` };
}

test("[CH55] what an earlier process may have posted is looked for, and brought up to date where it is", async () => {
  const { key } = setup(new Map());
  const { poster, done } = setup(new Map([[key, "old"]]));
  await poster.finish("answer 1", { runs: plainText("all of it") }, never);
  expect(done).toEqual(["edit old", "posted answer 1 0 old"]);
});

test("[CH55] what is not there is posted; what is new is not looked for", async () => {
  const { poster, done, key } = setup(new Map());
  await poster.finish("answer 1", { runs: plainText("all of it") }, never);
  await poster.finish("answer 2", { runs: plainText("more") }, never);
  expect(done).toEqual([
    `post ${key}`,
    "posted answer 1 0 new",
    `post ${key.replace("answer 1", "answer 2")}`,
    "posted answer 2 0 new",
  ]);
});

test("[CH58] a file goes with its message; one that is not there, and one for an app without files, is named", async () => {
  const { app, poster } = setup(new Map());
  const posted: unknown[] = [];
  app.post = async (_place, { runs, file }) =>
    `ref ${posted.push([runs.map(({ text }) => text).join(""), file?.bytes.length])}`;
  const attached = (blobId: string) => ({
    runs: plainText("shot.png"),
    attachment: { blobId, mimeType: "image/png", name: "shot.png" },
  });
  await poster.finish("file 1.0", attached("b1"), never);
  app.can = { ...app.can, maxFileBytes: 100 };
  await poster.finish("file 2.0", attached("b1"), never);
  await poster.finish("file 3.0", attached("gone"), never);
  expect(posted).toEqual([
    ["A file is on Deputy's page: shot.png", undefined],
    ["shot.png", 3],
    ["A file is on Deputy's page: shot.png", undefined],
  ]);
});

test("[CH57] an app that wants Deputy to wait, again and again and for long, is waited for", async () => {
  const { app, poster, done, key, slept } = setup(new Map());
  let refusals = 40;
  const { post } = app;
  app.post = (...said) => {
    if (refusals-- === 0) return post(...said);
    return Promise.reject(new ChannelsError("not_sent", "fewer messages", { retryAfterMs: 600_000 }));
  };
  await poster.finish("answer 1", { runs: plainText("all of it") }, never);
  expect(done).toEqual([`post ${key}`, "posted answer 1 0 new"]);
  expect(slept).toHaveLength(40);
  for (const ms of slept) expect(ms).toBeGreaterThanOrEqual(600_000);
});

test("[CH56] an app that cannot edit gets what became of a question below it, once, also after a crash in between", async () => {
  const done: string[] = [];
  const app: ChatApp = {
    name: "app",
    can: { maxChars: 100, measure: (runs) => runs.length, deduplicates: false, editEveryMs: 0 },
    receive: async () => undefined,
    identify: async () => "@deputy",
    post: async (_place, { runs }) => `ref ${done.push(runs.map(({ text }) => text).join(""))}`,
    typing: async () => undefined,
  };
  const kept: { item: string; part: number; ref?: string }[] = [];
  const session = parseId("session", SESSION) ?? expect.fail();
  const open = (shown: () => Promise<void>) =>
    createPoster({
      app,
      door: { download: async () => undefined },
      place: "1",
      session,
      journal: {
        posting: async () => undefined,
        posted: async (item, part, ref) => void kept.push({ item, part, ref }),
        shown,
      },
      open: [...kept],
      clock: createSystemClock(),
    });
  const say = (text: string) => ({ runs: plainText(text) });
  const crash = new Error("killed");
  const before = open(() => Promise.reject(crash));
  await before.show("question 1", say("May I?"), never);
  await before.show("question 1", say("May I, really?"), never);
  await expect(before.finish("question 1", say("Approved"), never)).rejects.toBe(crash);
  await open(async () => undefined).finish("question 1", say("Approved"), never);
  expect(done).toEqual(["May I?", "Approved"]);
});
