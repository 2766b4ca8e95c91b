import { expect, test } from "vitest";
import type { PolicyTool } from "../policy.ts";
import { judgeOrigins } from "./judge-origins.ts";
import { createOriginIndex } from "./origin-index.ts";

const GET: PolicyTool = { path: "web.get_page", approval: "auto", effect: "egress", critical: "all" };

interface Post {
  readonly post: Readonly<Record<string, unknown>>;
  readonly earlier?: readonly Readonly<Record<string, unknown>>[];
  readonly url?: string;
  readonly values?: readonly string[];
}

/** True if a link in a post may be looked at after this was said. */
function isOpened(
  said: string,
  {
    post,
    earlier = [],
    url = "https://paper.example/a",
    values = ["*.who", "*.from", "*.sender", "*.recipient"],
  }: Post,
): boolean {
  const index = createOriginIndex();
  index.addUser(said, "2026-05-15");
  const body = "see https://paper.example/a or www.paper.example/b, and plain.example/c";
  index.addResult(
    { source: "chat.read", trust: { values } },
    [...earlier, post].map((one) => Object.assign({ body }, one)),
  );
  return judgeOrigins({ tool: GET, input: { url }, origins: index.origins() }).length === 0;
}

const BOB = "Summarise the article that Bob sent";

test.each(["https://paper.example/a", "https://paper.example/a/", "www.paper.example/b", "paper.example/a"])(
  "[YP24] who names its writer asks for the link, however it is written: %s",
  (url) => {
    expect(isOpened(BOB, { post: { sender: "Bob" }, url })).toBe(true);
  },
);

test("[YP24] not for another link, nor for a host that is named in passing", () => {
  for (const url of ["https://paper.example/c", "https://paper.example", "plain.example/c2"])
    expect(isOpened(BOB, { post: { sender: "Bob" }, url }), url).toBe(false);
});

test("[YP24] a writer is whoever the source says so, not whoever got it, and nobody whom others name", () => {
  expect(isOpened(BOB, { post: { from: "Bob" } })).toBe(true);
  expect(isOpened(BOB, { post: { recipient: "Bob" } })).toBe(false);
  expect(isOpened(BOB, { post: { who: "Bob" } })).toBe(false);
  expect(isOpened(BOB, { post: { sender: "Bob" }, values: ["*.from"] })).toBe(false);
  expect(isOpened(BOB, { post: { sender: "Eve" } })).toBe(false);
});

test("[YP24] a name of several words, and one with a note beside it, is a name as any other", () => {
  const said = "Summarise the article that Bob Stone sent";
  expect(isOpened(said, { post: { sender: "Bob Stone" } })).toBe(true);
  expect(isOpened(said, { post: { sender_display: "Bob Stone" }, values: ["*.sender_display"] })).toBe(true);
});

test("[YP24] a host without a scheme or www is no link that its writer gives", () => {
  const post = { sender: "Bob", body: "see paper.example/a" };
  expect(isOpened(BOB, { post })).toBe(false);
  expect(isOpened(BOB, { post: { ...post, body: `${post.body} and www.paper.example/b`, likes: 7 } })).toBe(
    true,
  );
});

test("[YP24] sixteen links of a text, and sixteen writers of a link, are known, and no more", () => {
  const body = Array.from({ length: 17 }, (_, at) => `https://paper.example/p${at + 1}`).join(" ");
  const opened = (at: number) =>
    isOpened(BOB, { post: { sender: "Bob", body }, url: `https://paper.example/p${at}` });
  expect([opened(16), opened(17)]).toEqual([true, false]);
  const isKnownAfter = (others: number): boolean => {
    const posts = Array.from({ length: others }, (_, at) => ({ sender: `Eve${at}` }));
    return isOpened(BOB, { post: { sender: "Bob" }, earlier: posts });
  };
  expect([isKnownAfter(15), isKnownAfter(16)]).toEqual([true, false]);
});

test("[YP24] a word, a day or a number of the user's is nobody's name", () => {
  expect(isOpened("Summarise the news", { post: { sender: "news" } })).toBe(false);
  expect(isOpened('Summarise the article of "news"', { post: { sender: "news" } })).toBe(true);
  expect(isOpened("Summarise the article of 2026-05-14", { post: { sender: "2026-05-14" } })).toBe(false);
  expect(isOpened("Summarise article 12", { post: { sender: "12" } })).toBe(false);
  expect(isOpened("Summarise article 12", { post: { sender: 12 } })).toBe(false);
  expect(isOpened("Summarise article 12.5", { post: { sender: 12.5 } })).toBe(false);
  expect(isOpened("Summarise article 1,200", { post: { sender: "1,200" } })).toBe(false);
});
