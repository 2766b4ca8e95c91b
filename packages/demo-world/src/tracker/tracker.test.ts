import { expect, test } from "vitest";
import { openTestDemo } from "../demo.fixture.ts";

const where = { owner: "acme", repo: "website" };
const ageInDays = (now: number, time: string): number => Math.round((now - Date.parse(time)) / 86_400_000);

async function setup() {
  const { call, clock, tools } = await openTestDemo();
  const list = async (repository: object = where, state = "open") =>
    (await call("github.issues.list", { ...repository, state })) as {
      number: number;
      state: string;
      createdAt: string;
      updatedAt: string;
    }[];
  return { call, clock, tools, list };
}

test("lists issues oldest first, with ages counted from the first question", async () => {
  const { list, clock } = await setup();
  const ages = (await list()).map(({ createdAt }) => ageInDays(clock.now(), createdAt));
  expect(ages).toEqual([212, 140, 97, 61, 34, 12, 1]);
  const app = await list({ owner: "acme", repo: "mobile-app" });
  expect(app.filter(({ createdAt }) => ageInDays(clock.now(), createdAt) > 90)).toHaveLength(15);
});

test("a closed issue is no longer open; closing it again changes nothing", async () => {
  const { call, list, clock } = await setup();
  const close = () => call("github.issues.close", { ...where, issueNumber: 2 });
  expect(await close()).toEqual({ number: 2, title: "Typo on the pricing page", state: "closed" });
  const [before] = await list(where, "closed");
  await clock.advance(1_000);
  await close();
  expect(await list(where, "closed")).toEqual([before]);
  expect((await list()).map(({ number }) => number)).toEqual([1, 3, 4, 5, 6, 7]);
});

test("an issue with another title than the caller expects stays open", async () => {
  const { call, list } = await setup();
  const close = (title: string) => call("github.issues.close", { ...where, issueNumber: 2, title });
  await expect(close("Dark mode flickers")).rejects.toThrow("“Typo on the pricing page” by now");
  expect(await list()).toHaveLength(7);
  await close("Typo on the pricing page");
  expect(await list()).toHaveLength(6);
});

test("writes a comment once for each key", async () => {
  const { call } = await setup();
  const comment = (text: string, key: string) =>
    call("github.issues.comment", { ...where, issueNumber: 3, body: { text } }, key);
  const first = await comment("Is this still so?", "one");
  expect(await comment("Is this still so?", "one")).toEqual(first);
  await comment("Anyone?", "two");
  const { comments } = (await call("github.issues.get", { ...where, issueNumber: 3 })) as {
    comments: { author: string; text: string }[];
  };
  expect(comments.map(({ author, text }) => `${author}: ${text}`)).toEqual([
    "noor: Still happens on my old laptop.",
    "you: Is this still so?",
    "you: Anyone?",
  ]);
});

test("each repository has its own numbers, and its name ignores case", async () => {
  const { call, list } = await setup();
  await call("github.issues.close", { owner: "answeroverflow", repo: "ANSWEROVERFLOW", issueNumber: 1 });
  expect(await list({ owner: "AnswerOverflow", repo: "AnswerOverflow" })).toHaveLength(3);
  expect(await list()).toHaveLength(7);
});

test("reports what does not exist, with what does", async () => {
  const { call } = await setup();
  await expect(call("github.issues.list", { owner: "acme", repo: "shop" })).rejects.toThrow(
    "no repository acme/shop; it has acme/website, AnswerOverflow/AnswerOverflow, acme/mobile-app",
  );
  await expect(call("github.issues.close", { ...where, issueNumber: 99 })).rejects.toThrow(
    "no issue acme/website#99",
  );
});

test("the user decides by the issue's number and title", async () => {
  const { tools } = await setup();
  const close = tools.get("github.issues.close");
  expect(await close?.preview({ ...where, issueNumber: 3, title: "Dark mode flickers" })).toEqual({
    title: "Close acme/website#3 in the demo tracker",
    details: "Dark mode flickers\nPOST demo.localhost/github/repos/acme/website/issues/3/close",
  });
});
