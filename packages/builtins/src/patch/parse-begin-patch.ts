import { type FilePatch, type Hunk, invalidPatch, type PatchLine } from "./patch.ts";

const FILE = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END_OF_FILE = "*** End of File";

/** The form that begins with `*** Begin Patch`. Throws `patch_invalid`. */
export function parseBeginPatch(text: string): readonly FilePatch[] {
  const lines = text.trim().split(/\r?\n/);
  if (lines.shift()?.trim() !== "*** Begin Patch")
    throw invalidPatch("it does not begin with *** Begin Patch");
  if (lines.pop()?.trim() !== "*** End Patch") throw invalidPatch("it does not end with *** End Patch");
  const files: FilePatch[] = [];
  while (lines.length > 0) {
    const head = lines.shift() ?? "";
    const [, kind, name] = FILE.exec(head.trimEnd()) ?? [];
    const path = name?.trim();
    if (kind === undefined || path === undefined) {
      if (head.trim() === "") continue;
      throw invalidPatch(`“${head.slice(0, 100)}” is no file's beginning`);
    }
    const until = lines.findIndex((line) => FILE.test(line.trimEnd()));
    const body = lines.splice(0, until === -1 ? lines.length : until);
    files.push(parseFile(kind, path, body));
  }
  if (files.length === 0) throw invalidPatch("it names no file");
  return files;
}

function parseFile(kind: string, path: string, body: string[]): FilePatch {
  if (kind === "Delete") return { kind: "delete", path };
  if (kind === "Add") {
    const wrong = body.find((line) => line !== "" && !line.startsWith("+"));
    if (wrong !== undefined) throw invalidPatch(`in the new file ${path}, “${wrong.slice(0, 100)}” has no +`);
    const content = body.filter((line) => line !== "").map((line) => `${line.slice(1)}\n`);
    return { kind: "add", path, content: content.join("") };
  }
  const [, moveTo] = MOVE.exec(body[0]?.trimEnd() ?? "") ?? [];
  if (moveTo !== undefined) body.shift();
  const hunks = parseHunks(path, body);
  if (hunks.length === 0 && moveTo === undefined) throw invalidPatch(`it changes nothing in ${path}`);
  return { kind: "update", path, hunks, ...(moveTo === undefined ? {} : { moveTo: moveTo.trim() }) };
}

function parseHunks(path: string, body: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let lines: PatchLine[] = [];
  const close = (isAtEnd: boolean): void => {
    if (lines.length > 0) hunks.push({ anchors, lines, isAtEnd, endsBare: false });
    else return;
    [anchors, lines] = [[], []];
  };
  for (const line of withoutBlankEnd(body)) {
    if (line === "@@" || line.startsWith("@@ ")) {
      close(false);
      const anchor = line.slice(3);
      if (anchor.trim() !== "") anchors.push(anchor);
    } else if (line.trimEnd() === END_OF_FILE) close(true);
    else if (line === "") lines.push({ mark: " ", text: "" });
    else if (line.startsWith(" ") || line.startsWith("+") || line.startsWith("-"))
      lines.push({ mark: line.slice(0, 1) as PatchLine["mark"], text: line.slice(1) });
    else throw invalidPatch(`in ${path}, “${line.slice(0, 100)}” begins with neither space, + nor -`);
  }
  close(false);
  return hunks;
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
