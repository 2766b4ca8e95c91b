import { expect, test } from "vitest";
import {
  bytesOf,
  exists,
  expectCode,
  fillFiles,
  type OpenFileSystem,
  textOf,
  treeOf,
} from "./file-system-harness.ts";

/** What is in files, and how much of it there may be: VF3, VF4 and VF10 to VF12. */
export function describeFileContents(open: OpenFileSystem): void {
  const setup = (files: Readonly<Record<string, string>>) => {
    const fileSystem = open({});
    fillFiles(fileSystem, files);
    return fileSystem;
  };

  test("[VF3] opening does what the options say", () => {
    const fileSystem = setup({ "/f": "old", "/d/": "", "/l": "-> f", "/gone": "-> new" });
    expectCode("ENOENT", () => fileSystem.open("/none", { read: true }));
    expectCode("EEXIST", () => fileSystem.open("/f", { write: true, create: true, exclusive: true }));
    expectCode("EEXIST", () => fileSystem.open("/gone", { write: true, create: true, exclusive: true }));
    expectCode("ELOOP", () => fileSystem.open("/l", { read: true, links: "keep" }));
    expectCode("ENOTDIR", () => fileSystem.open("/f", { read: true, directory: true }));
    expectCode("ENOTDIR", () => fileSystem.open("/f/", { read: true }));
    expectCode("EISDIR", () => fileSystem.open("/d", { write: true }));
    expectCode("EISDIR", () => fileSystem.open("/d", { read: true, truncate: true }));
    expectCode("EISDIR", () => fileSystem.open("/x/", { write: true, create: true }));
    expect(treeOf(fileSystem)).toEqual({ "/f": "old", "/d/": "", "/l": "-> f", "/gone": "-> new" });
    fileSystem.open("/gone", { write: true, create: true, mode: 0o600 }).write(bytesOf("through the link"));
    expect(textOf(fileSystem.readFile("/new"))).toBe("through the link");
    expect(fileSystem.stat("/new", "keep").mode).toBe(0o600);
    fileSystem.open("/l", { write: true, truncate: true });
    expect(textOf(fileSystem.readFile("/f"))).toBe("");
    expectCode("EBADF", () => fileSystem.open("/f", { read: true }).write(bytesOf("x")));
    expectCode("EBADF", () => fileSystem.open("/f", { write: true }).read(new Uint8Array(1)));
    expectCode("EBADF", () => fileSystem.open("/f", { read: true }).truncate(0));
    expectCode("EISDIR", () => fileSystem.open("/d", { read: true }).read(new Uint8Array(1)));
    const closed = fileSystem.open("/f", { read: true });
    closed.close();
    closed.close();
    expectCode("EBADF", () => closed.read(new Uint8Array(1)));
    expectCode("EBADF", () => closed.stat());
  });

  test("[VF4] holders share one offset; what was never written is zeros", () => {
    const fileSystem = setup({ "/f": "0123456789" });
    const file = fileSystem.open("/f", { read: true, write: true });
    const two = new Uint8Array(2);
    const other = file.share();
    file.read(two);
    other.read(two);
    expect(textOf(two)).toBe("23");
    file.close();
    expect(file.readAt(two, 8)).toBe(2);
    expect(file.read(two)).toBe(2);
    expect(textOf(two)).toBe("45");
    expect(file.writeAt(bytesOf("AB"), 0)).toBe(2);
    expect(file.seek(0, "current")).toBe(6);
    expect(file.seek(-1, "end")).toBe(9);
    expect(file.read(two)).toBe(1);
    expect(file.read(two)).toBe(0);
    expectCode("EINVAL", () => file.seek(-1, "start"));
    expect(file.seek(3, "end")).toBe(13);
    file.write(bytesOf("!"));
    expect(textOf(fileSystem.readFile("/f"))).toBe("AB23456789\0\0\0!");
    file.truncate(4);
    file.truncate(6);
    expect(textOf(fileSystem.readFile("/f"))).toBe("AB23\0\0");
    fileSystem.truncate("/f", 2);
    const appending = fileSystem.open("/f", { append: true });
    appending.write(bytesOf("x"));
    file.writeAt(bytesOf("y"), 3);
    appending.write(bytesOf("z"));
    appending.writeAt(bytesOf("w"), 0);
    expect(textOf(fileSystem.readFile("/f"))).toBe("ABxyzw");
  });

  test("[VF4] any sequence of writes, reads and truncations is what an array would be", () => {
    const fileSystem = open({});
    const file = fileSystem.open("/f", { read: true, write: true, create: true });
    let model = new Uint8Array();
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return (seed >>> 8) % below;
    };
    for (let step = 0; step < 2000; step += 1) {
      const at = next(300);
      if (next(5) === 0) {
        file.truncate(at);
        const cut = new Uint8Array(at);
        cut.set(model.subarray(0, at));
        model = cut;
      } else {
        const bytes = new Uint8Array(next(40)).fill(1 + next(255));
        file.writeAt(bytes, at);
        const grown = new Uint8Array(
          bytes.length === 0 ? model.length : Math.max(model.length, at + bytes.length),
        );
        grown.set(model);
        grown.set(bytes, bytes.length === 0 ? 0 : at);
        model = grown;
      }
      const into = new Uint8Array(64);
      const from = next(320);
      const read = file.readAt(into, from);
      expect(into.subarray(0, read)).toEqual(model.subarray(from, from + 64));
      expect(file.stat().size).toBe(model.length);
    }
    expect(fileSystem.usage().bytes).toBe(model.length);
  });

  test("[VF10] names and paths have limits and are Unicode", () => {
    const fileSystem = setup({});
    fileSystem.writeFile(`/${"ä".repeat(127)}`, bytesOf(""));
    fileSystem.writeFile("/日本 \n*", bytesOf("any"));
    expect(textOf(fileSystem.readFile("/日本 \n*"))).toBe("any");
    for (const path of [
      `/${"ä".repeat(128)}`,
      `/${"a".repeat(256)}`,
      `/a${"/".repeat(4096)}`,
      `/${"ab/".repeat(1400)}`,
    ]) {
      expectCode("ENAMETOOLONG", () => fileSystem.writeFile(path, bytesOf("")), path.slice(0, 5));
      expectCode("ENAMETOOLONG", () => fileSystem.stat(path, "keep"), path.slice(0, 5));
    }
    expectCode("EINVAL", () => fileSystem.writeFile("/a\0b", bytesOf("")));
    expectCode("EILSEQ", () => fileSystem.writeFile("/a\ud800", bytesOf("")));
    expectCode("EILSEQ", () => fileSystem.symlink("\ud800", "/l"));
    expectCode("ENAMETOOLONG", () => fileSystem.symlink("x".repeat(4097), "/l"));
  });

  test("[VF11] bytes, names, sizes and open files have limits, and what is removed is given back", () => {
    const fileSystem = open({ limits: { bytes: 100, files: 5, fileBytes: 80, open: 3 } });
    fileSystem.writeFile("/a", new Uint8Array(60));
    expectCode("ENOSPC", () => fileSystem.writeFile("/b", new Uint8Array(41)));
    expectCode("EFBIG", () => fileSystem.truncate("/a", 81));
    expectCode("EFBIG", () => fileSystem.truncate("/a", 2 ** 50));
    const file = fileSystem.open("/b", { read: true, write: true });
    expectCode("ENOSPC", () => file.writeAt(new Uint8Array(2), 39));
    expectCode("EFBIG", () => file.writeAt(new Uint8Array(1), Number.MAX_SAFE_INTEGER - 1));
    expectCode("ENOSPC", () => file.truncate(41));
    expect(file.stat().size).toBe(0);
    file.truncate(40);
    expectCode("ENOSPC", () => fileSystem.symlink("x", "/l"));
    expect(fileSystem.usage()).toEqual({ bytes: 100, files: 2, open: 1 });
    expect(exists(fileSystem, "/l")).toBe(false);
    fileSystem.unlink("/a");
    fileSystem.makeDirectory("/d");
    fileSystem.link("/b", "/d/b");
    fileSystem.symlink("xyz", "/l");
    fileSystem.writeFile("/c", bytesOf(""));
    expect(fileSystem.usage()).toEqual({ bytes: 43, files: 5, open: 1 });
    for (const more of [
      () => fileSystem.writeFile("/e", bytesOf("")),
      () => fileSystem.makeDirectory("/e"),
      () => fileSystem.symlink("e", "/e"),
      () => fileSystem.link("/b", "/e"),
    ])
      expectCode("ENOSPC", more);
    fileSystem.open("/b", {});
    fileSystem.open("/b", {});
    expectCode("EMFILE", () => fileSystem.open("/b", {}));
    fileSystem.unlink("/c");
    expectCode("EMFILE", () => fileSystem.open("/new", { write: true, create: true }));
    expect(exists(fileSystem, "/new")).toBe(false);
    fileSystem.unlink("/l");
    fileSystem.unlink("/d/b");
    fileSystem.removeDirectory("/d");
    expect(fileSystem.usage()).toEqual({ bytes: 40, files: 1, open: 3 });
  });

  test("[VF12] /dev has what programs expect", () => {
    const fileSystem = setup({});
    const read = (path: string): Uint8Array => {
      const into = new Uint8Array(64).fill(7);
      const file = fileSystem.open(path, { read: true });
      return into.subarray(0, file.read(into));
    };
    expect(read("/dev/null")).toHaveLength(0);
    expect(read("/dev/zero")).toEqual(new Uint8Array(64));
    expect(read("/dev/urandom")).toHaveLength(64);
    expect(read("/dev/urandom")).not.toEqual(read("/dev/urandom"));
    fileSystem.writeFile("/dev/null", bytesOf("gone"));
    fileSystem.open("/dev/null", { write: true, create: true, truncate: true }).write(bytesOf("gone"));
    expectCode("ENOSPC", () => fileSystem.writeFile("/dev/full", bytesOf("x")));
    expect(fileSystem.stat("/dev/null", "keep")).toMatchObject({ kind: "device", size: 0 });
    expectCode("ESPIPE", () => fileSystem.open("/dev/null", { read: true }).seek(0, "start"));
    for (const act of [
      () => fileSystem.unlink("/dev/null"),
      () => fileSystem.rename("/dev/null", "/x"),
      () => fileSystem.writeFile("/dev/new", bytesOf("")),
      () => fileSystem.makeDirectory("/dev/new"),
    ])
      expectCode("EROFS", act);
    expectCode("EBUSY", () => fileSystem.removeDirectory("/dev"));
    expectCode("EBUSY", () => fileSystem.rename("/dev", "/x"));
  });
}
