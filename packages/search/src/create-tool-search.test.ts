import { expect, test } from "vitest";
import { createToolSearch } from "./create-tool-search.ts";
import { toolsOf } from "./test/tools-of.ts";

const tools = toolsOf({
  "github.issues.list": ["Lists the issues of a repository", "owner", "repo"],
  "github.issues.close": ["Closes an issue", "issueNumber"],
  "github.pulls.merge": ["Merges a pull request", "owner"],
  "mail.send": ["Sends an email to somebody", "recipient", "subject"],
  "mail.deleteMessage": ["Removes a message"],
  "posthog.visitors": ["Counts the visitors of a site", "siteUrl"],
});
const { search: searchTools } = createToolSearch(tools);
const search = (query: string, limit = 10) => searchTools(query, limit).map((found) => found.path);

test("[TS1] finds words in path, parameters and description, with any ending", () => {
  expect(search("close issue")[0]).toBe("github.issues.close");
  expect(search("closing issues")[0]).toBe("github.issues.close");
  expect(search("visitor count")[0]).toBe("posthog.visitors");
  expect(search("email somebody")[0]).toBe("mail.send");
  expect(search("recipient")).toEqual(["mail.send"]);
  expect(search("delete message")[0]).toBe("mail.deleteMessage");
  expect(search("merging PULL requests")[0]).toBe("github.pulls.merge");
});

test("[TS1] a path counts more than a description, and more words count more than fewer", () => {
  expect(search("issues").slice(0, 2).toSorted()).toEqual(["github.issues.close", "github.issues.list"]);
  expect(search("list issues owner")[0]).toBe("github.issues.list");
});

test("[TS1] puts an exact path first, and never returns more than requested", () => {
  expect(search("mail.send", 1)).toEqual(["mail.send"]);
  expect(search("issues", 1)).toHaveLength(1);
  expect(search("issues", 0)).toEqual([]);
});

test("[TS1] returns nothing for nonsense, and everything for no words", () => {
  expect(search("zzzz")).toEqual([]);
  expect(search("")).toEqual(tools.map((found) => found.path));
});

const services = createToolSearch(
  toolsOf({
    "phone.listVoicemails": ["Voicemails of a user"],
    "phone.sendMessage": ["Sends a message", "to"],
    "pager.oncall_users": ["Users of an organization who have duty"],
    "music.currentTrack": ["The track that is playing"],
    "music.recommendTracks": ["Recommendations for a listener"],
    "chat.sendMessage": ["Sends a message", "channel"],
    "chat.listMessages": ["Lists messages", "channel"],
    "chat.deleteMessage": ["Deletes a message", "channel"],
  }),
);

test("[TS2] matches spelling variants, compounds and everyday words with what interfaces call them", () => {
  const found = (query: string) => services.search(query, 1)[0]?.path;
  expect(found("listen to my voice mail")).toBe("phone.listVoicemails");
  expect(found("who is on call")).toBe("pager.oncall_users");
  expect(found("which song is this")).toBe("music.currentTrack");
  expect(found("recommendation for something new")).toBe("music.recommendTracks");
});

test("[TS2] puts a named service before others that match as well", () => {
  expect(services.search("send a message", 9).map(({ path }) => path)).toEqual(
    expect.arrayContaining(["chat.sendMessage", "phone.sendMessage"]),
  );
  expect(services.search("send a message by phone", 1)[0]?.path).toBe("phone.sendMessage");
  expect(services.search("send a message in the chat", 1)[0]?.path).toBe("chat.sendMessage");
});

test("[TS3] a question finds reading tools, an order finds acting ones, and deleting ones come late", () => {
  expect(services.search("which messages are there", 1)[0]?.path).toBe("chat.listMessages");
  expect(services.search("remove a message", 1)[0]?.path).toBe("chat.deleteMessage");
  const order = services.search("write a message", 9).map(({ path }) => path);
  expect(order.indexOf("chat.deleteMessage")).toBeGreaterThan(order.indexOf("chat.sendMessage"));
  const diary = createToolSearch(
    toolsOf({
      "diary.getNotesOfOneDay": ["Everything that was noted on one day, with pictures"],
      "diary.removeNote": ["Removes a note"],
    }),
  );
  expect(diary.search("write a note", 1)[0]?.path).toBe("diary.getNotesOfOneDay");
});
