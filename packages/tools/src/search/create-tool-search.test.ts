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
  expect(search("email")[0]).toBe("mail.send");
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
