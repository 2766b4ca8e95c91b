import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ListedOperation, Method } from "./list-operations.ts";
import { nameOperations, shortNames } from "./name-operations.ts";

const operation = (tag: string | undefined, operationId?: string, path = "/a/{b}", method: Method = "get") =>
  ({
    method,
    path,
    item: {},
    operation: { tags: tag === undefined ? [] : [tag], operationId },
  }) as ListedOperation;

const nameOf = (one: ListedOperation): string | undefined => nameOperations([one])[0]?.join(".");

test.each([
  ["issues", "issues/list-for-repo", "issues.listForRepo"],
  ["Issues", "IssuesListForRepo", "issues.listForRepo"],
  ["issues", "issues", "issues.issues"],
  ["issue", "issuesList", "issue.issuesList"],
  ["User Accounts", "get_account", "userAccounts.getAccount"],
  ["APIKeys", "URLList", "apiKeys.urlList"],
  ["pets", undefined, "pets.getAByB"],
  [undefined, "findAll", "findAll"],
  ["Überblick", "größe", "uberblick.groE"],
  ["问题", "list", "list"],
  ["2fa", "3d", "_2fa._3d"],
  ["then", "constructor", "_then._constructor"],
])("[TO1] tag %j and operationId %j give %s", (tag, id, name) => {
  expect(nameOf(operation(tag, id))).toBe(name);
});

test("[TO1] numbers names that would be the same, and never gives an operation the name of a group", () => {
  const all = [
    operation("a", "x"),
    operation("a", "x"),
    operation("a", "X"),
    operation(undefined, "a"),
    operation("b", "x"),
  ];
  expect(nameOperations(all).map((place) => place.join("."))).toEqual([
    "a.x",
    "a.x_2",
    "a.x_3",
    "a_2",
    "b.x",
  ]);
});

const shortOf = (...all: ListedOperation[]) => shortNames(nameOperations(all));

test.each([
  ["accounts", "getAccount", "get"],
  ["Accounts", "getAllAccounts", "getAll"],
  ["User Accounts", "update_user_account", "update"],
  ["categories", "listCategory", "list"],
  ["addresses", "createAddress", "create"],
  ["accounts", "getAccountOrders", undefined],
  ["accounts", "accounts", undefined],
  ["accounts", "thenAccount", undefined],
  ["status", "getStatus", "get"],
  [undefined, "getAccount", undefined],
])("[TO1] tag %j and operationId %j have the shorter name %s", (tag, id, short) => {
  expect(shortOf(operation(tag, id))).toEqual([short]);
});

test("[TO1] a shorter name that two operations could have is nobody's", () => {
  expect(shortOf(operation("accounts", "getAccount"), operation("accounts", "getAccounts"))).toEqual([
    undefined,
    undefined,
  ]);
  expect(shortOf(operation("accounts", "get"), operation("accounts", "getAccount"))).toEqual([
    undefined,
    undefined,
  ]);
  expect(shortOf(operation("accounts", "getAccount"), operation("orders", "getOrder"))).toEqual([
    "get",
    "get",
  ]);
});

test("[TO1] names are safe, unique and stable, whatever the document contains", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("a", "a_2", "then", "__proto__", "x".repeat(99)),
  );
  const one = fc.record({
    tag: fc.option(text, { nil: undefined }),
    id: fc.option(text, { nil: undefined }),
    path: text,
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), (all) => {
      const operations = all.map(({ tag, id, path }) => operation(tag, id, path));
      const names = nameOperations(operations).map((place) => place.join("."));
      expect(new Set(names).size).toBe(names.length);
      for (const name of names)
        for (const part of name.split("."))
          expect(part).toMatch(/^(?!(?:__proto__|prototype|constructor|then)$)[A-Za-z_$][\w$-]{0,63}$/);
      expect(nameOperations(operations).map((place) => place.join("."))).toEqual(names);
    }),
  );
});
