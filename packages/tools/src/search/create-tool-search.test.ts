import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "../create-catalogue.ts";
import { defineTool } from "../define-tool.ts";

const tool = (description: string, ...parameters: readonly string[]) =>
  defineTool({
    description,
    approval: "auto",
    args: z.object(Object.fromEntries(parameters.map((name) => [name, z.string()]))),
    run: () => null,
  });

const catalogue = createCatalogue([
  {
    source: "test",
    tree: {
      github: {
        issues: {
          list: tool("Lists the issues of a repository", "owner", "repo"),
          close: tool("Closes an issue", "issueNumber"),
        },
        pulls: { merge: tool("Merges a pull request", "owner") },
      },
      mail: {
        send: tool("Sends an email to somebody", "recipient", "subject"),
        deleteMessage: tool("Removes a message"),
      },
      posthog: { visitors: tool("Counts the visitors of a site", "siteUrl") },
    },
  },
]);
const search = (query: string, limit = 10) => catalogue.search(query, limit).map((found) => found.path);

test("[T11] words are found in path, parameters and description, whatever their ending", () => {
  expect(search("close issue")[0]).toBe("github.issues.close");
  expect(search("closing issues")[0]).toBe("github.issues.close");
  expect(search("visitor count")[0]).toBe("posthog.visitors");
  expect(search("email somebody")[0]).toBe("mail.send");
  expect(search("recipient")).toEqual(["mail.send"]);
  expect(search("delete message")[0]).toBe("mail.deleteMessage");
  expect(search("merging PULL requests")[0]).toBe("github.pulls.merge");
});

test("[T11] a path counts more than a description, and more words more than fewer", () => {
  expect(search("issues").slice(0, 2).toSorted()).toEqual(["github.issues.close", "github.issues.list"]);
  expect(search("list issues owner")[0]).toBe("github.issues.list");
});

test("[T11] nothing for nonsense, everything for no words", () => {
  expect(search("zzzz")).toEqual([]);
  expect(search("")).toEqual(catalogue.list().map((found) => found.path));
});

test("[T43] spelling, compounds and everyday words are found as interfaces write them", () => {
  const found = (query: string) => services.search(query, 1)[0]?.path;
  expect(found("listen to my voice mail")).toBe("phone.listVoicemails");
  expect(found("who is on call")).toBe("pager.oncall_users");
  expect(found("which song is this")).toBe("music.currentTrack");
  expect(found("recommendation for something new")).toBe("music.recommendTracks");
});

test("[T43] a service that is named goes before others that fit as well", () => {
  expect(services.search("send a message", 9).map(({ path }) => path)).toEqual(
    expect.arrayContaining(["chat.sendMessage", "phone.sendMessage"]),
  );
  expect(services.search("send a message by phone", 1)[0]?.path).toBe("phone.sendMessage");
  expect(services.search("send a message in the chat", 1)[0]?.path).toBe("chat.sendMessage");
});

test("[T44] a question reads, an order acts, and what deletes comes late", () => {
  expect(services.search("which messages are there", 1)[0]?.path).toBe("chat.listMessages");
  expect(services.search("remove a message", 1)[0]?.path).toBe("chat.deleteMessage");
  const order = services.search("write a message", 9).map(({ path }) => path);
  expect(order.indexOf("chat.deleteMessage")).toBeGreaterThan(order.indexOf("chat.sendMessage"));
});

const services = createCatalogue([
  {
    source: "test",
    tree: {
      phone: { listVoicemails: tool("Voicemails of a user"), sendMessage: tool("Sends a message", "to") },
      pager: { oncall_users: tool("Users of an organization who have duty") },
      music: {
        currentTrack: tool("The track that is playing"),
        recommendTracks: tool("Recommendations for a listener"),
      },
      chat: {
        sendMessage: tool("Sends a message", "channel"),
        listMessages: tool("Lists messages", "channel"),
        deleteMessage: tool("Deletes a message", "channel"),
      },
    },
  },
]);
