import { describe, expect, test } from "vitest";
import { describeFileContents } from "./content-rules.ts";
import {
  bytesOf,
  exists,
  expectCode,
  fillFiles,
  type OpenFileSystem,
  textOf,
  treeOf,
} from "./file-system-harness.ts";

/** What commands and the shell need from every file system. The rules are in `packages/vfs/SPEC.md`. */
export function describeFileSystem(name: string, open: OpenFileSystem): void {
  describe(name, () => {
    const setup = (files: Readonly<Record<string, string>>) => {
      const fileSystem = open({});
      fillFiles(fileSystem, files);
      return fileSystem;
    };

    test("[VF1] a path is followed name by name", () => {
      const fileSystem = setup({
        "/a/b/c": "deep",
        "/a/up": "-> ../a/b",
        "/abs": "-> /a/b/c",
        "/dangling": "-> nowhere",
        "/self": "-> self",
        "/dot": "-> .",
      });
      for (const path of [
        "/a/b/c",
        "//a/./b//c",
        "/a/b/../b/c",
        "/../a/b/c",
        "/a/up/c",
        "/a/up/../up/c",
        "/abs",
        "/dot/dot/a/b/c",
      ])
        expect(textOf(fileSystem.readFile(path)), path).toBe("deep");
      expect(fileSystem.realPath("/a/up/../up/c")).toBe("/a/b/c");
      expect(fileSystem.realPath("/a/up/..")).toBe("/a");
      expect(fileSystem.realPath("/")).toBe("/");
      for (const path of ["/a/b/c/", "/a/b/c/x", "/abs/", "/a/b/c/..", "/a/b/c/."])
        expectCode("ENOTDIR", () => fileSystem.stat(path, "follow"), path);
      for (const path of ["", "/none", "/dangling", "/none/x", "/a/none/../b"])
        expectCode("ENOENT", () => fileSystem.stat(path, "follow"), path);
      for (const path of ["/self", "/self/x"])
        expectCode("ELOOP", () => fileSystem.stat(path, "follow"), path);
      expect(fileSystem.stat("/self", "keep").kind).toBe("symlink");
      expect(fileSystem.stat("/a/up", "keep").kind).toBe("symlink");
      expect(fileSystem.stat("/a/up/", "keep").kind).toBe("directory");
      expect(fileSystem.readLink("/abs")).toBe("/a/b/c");
      expectCode("EINVAL", () => fileSystem.readLink("/a"));
    });

    test("[VF1] forty links are followed, and not one more", () => {
      const fileSystem = setup({ "/l0": "end" });
      for (let at = 1; at <= 41; at += 1) fileSystem.symlink(`l${at - 1}`, `/l${at}`);
      expect(textOf(fileSystem.readFile("/l40"))).toBe("end");
      expectCode("ELOOP", () => fileSystem.readFile("/l41"));
    });

    test("[VF2] a path beneath a directory cannot leave it", () => {
      const fileSystem = setup({
        "/secret": "s",
        "/box/in/file": "f",
        "/box/out": "-> ../secret",
        "/box/abs": "-> /secret",
        "/box/in/far": "-> ../../secret",
        "/box/fine": "-> in/../in/file",
        "/box/around": "-> ../box/in/file",
      });
      const before = treeOf(fileSystem);
      const beneath = fileSystem.open("/box", { read: true, directory: true });
      const at = (path: string) => ({ beneath, path });
      expect(textOf(fileSystem.readFile(at("fine")))).toBe("f");
      expect(textOf(fileSystem.readFile(at("in/../in/file")))).toBe("f");
      for (const path of [
        "..",
        "../secret",
        "/secret",
        "/",
        "in/../../secret",
        "out",
        "abs",
        "in/far",
        "around",
        "./../box/in",
        "in/../..",
        "..//box",
      ]) {
        expectCode("ENOTCAPABLE", () => fileSystem.open(at(path), { read: true }), path);
        expectCode("ENOTCAPABLE", () => fileSystem.writeFile(at(path), bytesOf("x")), path);
        expectCode("ENOTCAPABLE", () => fileSystem.stat(at(path), "follow"), path);
      }
      for (const path of ["../x", "in/../../x", "/x", "abs/x", "in/../../box/x"]) {
        expectCode("ENOTCAPABLE", () => fileSystem.makeDirectory(at(path)), path);
        expectCode("ENOTCAPABLE", () => fileSystem.symlink("t", at(path)), path);
        expectCode("ENOTCAPABLE", () => fileSystem.rename(at("in"), at(path)), path);
        expectCode("ENOTCAPABLE", () => fileSystem.rename(at(path), at("y")), path);
        expectCode("ENOTCAPABLE", () => fileSystem.link(at("in/file"), at(path)), path);
        expectCode("ENOTCAPABLE", () => fileSystem.unlink(at(path)), path);
        expectCode("ENOTCAPABLE", () => fileSystem.removeDirectory(at(path)), path);
      }
      expect(treeOf(fileSystem)).toEqual(before);
    });

    test("[VF2] beneath the root, absolute links and `..` stay inside it", () => {
      const fileSystem = setup({ "/a/f": "f", "/abs": "-> /a/f", "/up": "-> ../../a/f" });
      const beneath = fileSystem.open("/", { read: true, directory: true });
      for (const path of ["abs", "up", "../a/f", "/a/f"])
        expect(textOf(fileSystem.readFile({ beneath, path })), path).toBe("f");
    });

    test("[VF5] directories are made, and removed when empty", () => {
      const fileSystem = setup({ "/a/f": "f", "/l": "-> a" });
      for (const path of ["/a", "/a/", "/", "/a/.", "/a/f", "/l", "/l/"])
        expectCode("EEXIST", () => fileSystem.makeDirectory(path), path);
      fileSystem.makeDirectory("/b/");
      expectCode("ENOENT", () => fileSystem.makeDirectory("/none/x"));
      expectCode("ENOTDIR", () => fileSystem.makeDirectory("/a/f/x"));
      expectCode("ENOTEMPTY", () => fileSystem.removeDirectory("/a"));
      expectCode("ENOTDIR", () => fileSystem.removeDirectory("/a/f"));
      expectCode("ENOTDIR", () => fileSystem.removeDirectory("/l"));
      expectCode("EISDIR", () => fileSystem.unlink("/b"));
      expectCode("EINVAL", () => fileSystem.removeDirectory("/b/."));
      expectCode("EBUSY", () => fileSystem.removeDirectory("/"));
      const held = fileSystem.open("/b", { directory: true });
      fileSystem.removeDirectory("/b");
      expectCode("ENOENT", () => fileSystem.makeDirectory({ beneath: held, path: "x" }));
      expectCode("ENOENT", () => fileSystem.writeFile({ beneath: held, path: "x" }, bytesOf("x")));
      expectCode("ENOENT", () => fileSystem.rename("/a/f", { beneath: held, path: "x" }));
      expect(treeOf(fileSystem)).toEqual({ "/a/": "", "/a/f": "f", "/l": "-> a" });
    });

    test("[VF6] a rename replaces what may be replaced", () => {
      const fileSystem = setup({
        "/f": "f",
        "/g": "g",
        "/d/x": "x",
        "/e/": "",
        "/full/y": "y",
        "/l": "-> g",
      });
      const { ino } = fileSystem.stat("/f", "keep");
      fileSystem.rename("/f", "/g");
      expect(fileSystem.stat("/g", "keep").ino).toBe(ino);
      expectCode("EISDIR", () => fileSystem.rename("/g", "/e"));
      expectCode("ENOTDIR", () => fileSystem.rename("/d", "/g"));
      expectCode("ENOTEMPTY", () => fileSystem.rename("/d", "/full"));
      expectCode("EINVAL", () => fileSystem.rename("/d", "/d/inside"));
      expectCode("ENOENT", () => fileSystem.rename("/none", "/x"));
      expectCode("ENOENT", () => fileSystem.rename("/g", "/none/x"));
      expectCode("ENOTDIR", () => fileSystem.rename("/g/", "/x"));
      expectCode("ENOTDIR", () => fileSystem.rename("/g", "/x/"));
      expectCode("EBUSY", () => fileSystem.rename("/d/.", "/x"));
      fileSystem.rename("/d", "/e");
      fileSystem.rename("/e", "/moved/");
      fileSystem.rename("/l", "/m");
      expect(treeOf(fileSystem)).toEqual({
        "/g": "f",
        "/moved/": "",
        "/moved/x": "x",
        "/full/": "",
        "/full/y": "y",
        "/m": "-> g",
      });
      expect(fileSystem.realPath("/moved/../moved/x")).toBe("/moved/x");
    });

    test("[VF7] hard links are one file; a file without a name lives while it is open", () => {
      const fileSystem = setup({ "/a": "one", "/d/": "", "/l": "-> a" });
      fileSystem.link("/a", "/d/b");
      expect(fileSystem.stat("/a", "keep")).toMatchObject({
        nlink: 2,
        ino: fileSystem.stat("/d/b", "keep").ino,
      });
      fileSystem.writeFile("/d/b", bytesOf("two"));
      expect(textOf(fileSystem.readFile("/a"))).toBe("two");
      fileSystem.rename("/a", "/d/b");
      expect(fileSystem.stat("/a", "keep").nlink).toBe(2);
      fileSystem.link("/l", "/l2");
      expect(fileSystem.readLink("/l2")).toBe("a");
      expectCode("EPERM", () => fileSystem.link("/d", "/x"));
      expectCode("EEXIST", () => fileSystem.link("/a", "/d/b"));
      expectCode("ENOENT", () => fileSystem.link("/a", "/x/"));
      const held = fileSystem.open("/a", { read: true, write: true });
      fileSystem.unlink("/a");
      fileSystem.unlink("/d/b");
      expect(held.stat().nlink).toBe(0);
      held.write(bytesOf("three"));
      const back = new Uint8Array(5);
      expect(held.readAt(back, 0)).toBe(5);
      expect(textOf(back)).toBe("three");
      expect(exists(fileSystem, "/a")).toBe(false);
      const { bytes } = fileSystem.usage();
      held.close();
      expect(fileSystem.usage().bytes).toBe(bytes - 5);
    });

    test("[VF8] modes and times are kept; changes set mtime", () => {
      const fileSystem = setup({ "/f": "f", "/d/": "", "/l": "-> f" });
      fileSystem.setMode("/l", 0o4751);
      expect(fileSystem.stat("/f", "keep").mode).toBe(0o4751);
      fileSystem.setTimes("/l", { mtime: 7n }, "keep");
      fileSystem.setTimes("/l", { atime: 5n, mtime: 6n }, "follow");
      expect(fileSystem.stat("/l", "keep").mtime).toBe(7n);
      expect(fileSystem.stat("/f", "keep")).toMatchObject({ atime: 5n, mtime: 6n });
      for (const change of [
        () => fileSystem.writeFile("/d/new", bytesOf("n")),
        () => fileSystem.rename("/d/new", "/d/other"),
        () => fileSystem.unlink("/d/other"),
      ]) {
        const before = fileSystem.stat("/d", "keep").mtime;
        change();
        expect(fileSystem.stat("/d", "keep").mtime).toBeGreaterThan(before);
      }
      fileSystem.writeFile("/f", bytesOf("x"));
      expect(fileSystem.stat("/f", "keep").mtime).toBeGreaterThan(6n);
      expect(fileSystem.stat("/f", "keep").mode).toBe(0o4751);
    });

    test("[VF9] a directory read in pieces gives what stays exactly once", () => {
      const fileSystem = setup({ "/d/": "" });
      for (let at = 0; at < 100; at += 1) fileSystem.writeFile(`/d/f${at}`, bytesOf(""));
      const directory = fileSystem.open("/d", { read: true, directory: true });
      const seen: string[] = [];
      let cookie = 0;
      for (let piece = directory.list(cookie, 7); piece.length > 0; piece = directory.list(cookie, 7)) {
        seen.push(...piece.map((entry) => entry.name));
        cookie = piece.at(-1)?.cookie ?? 0;
        // Every even file goes as soon as it was seen, and new ones come.
        for (const entry of piece)
          if (Number(entry.name.slice(1)) % 2 === 0) fileSystem.unlink(`/d/${entry.name}`);
        if (seen.length < 100) fileSystem.writeFile(`/d/n${seen.length}`, bytesOf(""));
      }
      expect(new Set(seen).size).toBe(seen.length);
      for (let at = 0; at < 100; at += 1) expect(seen).toContain(`f${at}`);
      expect(directory.list(0, 1000).map((entry) => entry.name)).toEqual(
        fileSystem.readDirectory("/d").map((entry) => entry.name),
      );
    });

    describeFileContents(open);
  });
}
