import type { TextFolder } from "@deputy/agent";
import { describe, expect, test } from "vitest";

/** Opens a folder that holds just these files, by their paths. */
export type OpenTextFolder = (files: Readonly<Record<string, string | Uint8Array>>) => TextFolder;

const live = new AbortController().signal;
const FILES = {
  "a.md": "Ä text\n",
  "empty.md": "",
  "one/b.md": "b",
  "one/two/c.md": "c",
  "one/.hidden": "h",
  "binary.md": new Uint8Array([0x41, 0xff, 0xfe, 0x42]),
  "zero.md": new Uint8Array([0x41, 0, 0x42]),
};

/** What agents need from every folder they are read from. The rules are in `packages/agent/SPEC.md`. */
export function describeTextFolder(name: string, open: OpenTextFolder): void {
  describe(name, () => {
    test("[A67] reads a file up to a limit, and cuts a longer one between characters", async () => {
      const folder = open(FILES);
      expect(await folder.read("a.md", 100, live)).toEqual({ kind: "text", text: "Ä text\n", isCut: false });
      expect(await folder.read("a.md", 8, live)).toEqual({ kind: "text", text: "Ä text\n", isCut: false });
      expect(await folder.read("a.md", 4, live)).toEqual({ kind: "text", text: "Ä t", isCut: true });
      expect(await folder.read("a.md", 1, live)).toEqual({ kind: "text", text: "", isCut: true });
      expect(await folder.read("empty.md", 1, live)).toEqual({ kind: "text", text: "", isCut: false });
      expect(await folder.read("one/two/c.md", 9, live)).toMatchObject({ text: "c" });
    });

    test("[A67] distinguishes what is missing from what is not text, not a file or not a folder", async () => {
      const folder = open(FILES);
      for (const path of ["b.md", "one/a.md", "three/a.md"])
        expect(await folder.read(path, 9, live), path).toEqual({ kind: "missing" });
      for (const path of ["binary.md", "zero.md", "one"])
        expect(await folder.read(path, 9, live), path).toMatchObject({ kind: "unreadable" });
      expect(await folder.list("three", 9, live)).toEqual({ kind: "missing" });
      expect(await folder.list("a.md", 9, live)).toMatchObject({ kind: "unreadable" });
    });

    test("[A67] no path leads out of it", async () => {
      const folder = open(FILES);
      const outside = [
        "..",
        "../a.md",
        "one/../a.md",
        "/etc/hostname",
        "one//b.md",
        "./a.md",
        "one\\b.md",
        "a\0b",
      ];
      for (const path of outside) {
        expect(await folder.read(path, 9, live), path).toMatchObject({ kind: "unreadable" });
        expect(await folder.list(path, 9, live), path).toMatchObject({ kind: "unreadable" });
      }
    });

    test("[A67] lists a folder's direct entries, sorted, up to a limit", async () => {
      const folder = open(FILES);
      const file = (of: string) => ({ name: of, kind: "file" });
      const entries = [file(".hidden"), file("b.md"), { name: "two", kind: "folder" }];
      expect(await folder.list("one", 9, live)).toEqual({ kind: "entries", entries, isCut: false });
      expect(await folder.list("one", 2, live)).toEqual({
        kind: "entries",
        entries: entries.slice(0, 2),
        isCut: true,
      });
      expect(await folder.list("", 99, live)).toMatchObject({ kind: "entries", isCut: false });
    });

    test("[A67] an abort ends a wait for it", async () => {
      const folder = open(FILES);
      const stopped = AbortSignal.abort(new Error("enough"));
      await expect(folder.read("a.md", 9, stopped)).rejects.toThrow("enough");
      await expect(folder.list("", 9, stopped)).rejects.toThrow("enough");
    });
  });
}
