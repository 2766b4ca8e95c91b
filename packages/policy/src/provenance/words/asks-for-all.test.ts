import { expect, test } from "vitest";
import { type AllOfKind, isForAll, readRequestsForAll } from "./asks-for-all.ts";

const plain = (verb: string, kind: string) => ({ verb, kind, isPlain: true });
const narrowed = (verb: string, kind: string) => ({ verb, kind, isPlain: false });

test.each([
  ["Delete all files", [plain("delete", "files")]],
  ["Delete all of the files, please", [plain("delete", "files")]],
  ["delete every single file now", [plain("delete", "file")]],
  ["Get rid of all my drafts", [plain("delete", "drafts")]],
  ["Please can you just clean up all files.", [plain("clean", "files")]],
  ["I'd like you to delete all files", [plain("delete", "files")]],
  ["I'd like to delete all files", [plain("delete", "files")]],
  ["We want you to delete all files", [plain("delete", "files")]],
  ["We want to delete all files", [plain("delete", "files")]],
  ["Lets delete all files", [plain("delete", "files")]],
  ["Let’s now delete all files", [plain("delete", "files")]],
  ["So, delete  all\tfiles", [plain("delete", "files")]],
  ["v1.2 is out and delete all files", [plain("delete", "files")]],
  ["Add Bob to all channels", [narrowed("add", "channels")]],
  ["Move to all channels", [narrowed("move", "channels")]],
  ["Delete all files older than a year", []],
  ["Delete all files and not the mails", [narrowed("delete", "files")]],
  ["Delete all files. Read all mails!", [plain("delete", "files"), plain("read", "mails")]],
  ["Delete all files!! Never mind", [plain("delete", "files")]],
])("[YP8] %j asks for %j", (text, requests) => {
  expect(readRequestsForAll(text)).toEqual(requests);
});

test.each([
  "All files",
  "Please all files",
  "Do not delete all files",
  "Don’t delete all files",
  "If you delete all files",
  "He said it was time to get rid of all files",
  "Delete the first of those in front of all files",
  "Delete tomorrow all files",
  "Delete overall files",
])("[YP8] %j asks for nothing to be done to all of a kind", (text) => {
  expect(readRequestsForAll(text)).toEqual([]);
});

test("[YP8] a sentence with very many of them is a list", () => {
  expect(readRequestsForAll("delete all files, ".repeat(30))).toHaveLength(20);
});

const deletion: AllOfKind = { effect: "destructive", toolPath: "files.zapAll", argument: "fileId" };
const share: AllOfKind = { effect: "egress", toolPath: "files.zap.beamOut", argument: "fileId" };
const notice: AllOfKind = { effect: "egress", toolPath: "chat.notify_somebody", argument: "user" };

test.each([
  [plain("delete", "files"), deletion, true],
  [plain("erase", "file"), deletion, true],
  [plain("zap", "files"), deletion, true],
  [plain("share", "files"), deletion, false],
  [plain("delete", "mails"), deletion, false],
  [narrowed("delete", "files"), deletion, false],
  [narrowed("share", "files"), share, false],
  [narrowed("send", "files"), share, false],
  [narrowed("tell", "users"), notice, true],
  [narrowed("pay", "users"), notice, false],
  [plain("beam", "files"), share, true],
  [plain("zap", "files"), share, false],
  [plain("delete", "files"), share, false],
  [plain("delete", "boxes"), { ...deletion, argument: "box" }, true],
  [plain("delete", "entries"), { ...deletion, argument: "entry_id" }, true],
  [plain("delete", "tiespes"), { ...deletion, argument: "types" }, false],
  [plain("delete", "entr"), { ...deletion, argument: "entry" }, false],
] as const)("[YP8] %j is about all of %j: %s", (request, call, isAbout) => {
  expect(isForAll(request, call)).toBe(isAbout);
});
