import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type BaseTree, createMemoryBase } from "./base-tree.ts";
import { FileSystemError } from "./file-system-error.ts";
import type { FileSystem } from "./file-system.ts";
import { createMemoryFileSystem } from "./memory-file-system.ts";

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const FILES = { "a.txt": "a", "sub/b.txt": "b", "sub/deep/c.txt": "c", "other/d.txt": "d", empty: "" };

function setup(access: "writable" | "sealed" = "writable") {
  const asked: string[] = [];
  const memory = createMemoryBase(
    new Map(Object.entries(FILES).map(([path, text]) => [path, bytesOf(text)])),
  );
  const base: BaseTree = {
    list(path) {
      asked.push(`list ${path}`);
      return memory.list(path);
    },
    read(path) {
      asked.push(`read ${path}`);
      return memory.read(path);
    },
  };
  let now = 1n;
  const fileSystem = createMemoryFileSystem({
    now: () => (now += 1n),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    mounts: [{ at: "/home/work", base, access }],
  });
  return { fileSystem, asked };
}

test("[VF13] a base is read when somebody looks, and only as far as they look", () => {
  const { fileSystem, asked } = setup();
  expect(asked).toEqual([]);
  expect(textOf(fileSystem.readFile("/home/work/sub/b.txt"))).toBe("b");
  expect(asked).toEqual(["list ", "list sub", "read sub/b.txt"]);
  const file = fileSystem.open("/home/work/a.txt", { read: true });
  const one = new Uint8Array(1);
  expect([file.read(one), file.read(one), file.readAt(one, 0)]).toEqual([1, 0, 1]);
  expect(asked.slice(3)).toEqual(["read a.txt"]);
  expect(fileSystem.usage()).toMatchObject({ bytes: 0, files: 0 });
  expect(fileSystem.changes("/home/work")).toEqual([]);
});

test("[VF13] writing copies: the base keeps its bytes, and only what was written counts", () => {
  const { fileSystem } = setup();
  fileSystem.open("/home/work/a.txt", { append: true }).write(bytesOf("!"));
  expect(textOf(fileSystem.readFile("/home/work/a.txt"))).toBe("a!");
  expect(fileSystem.usage().bytes).toBe(2);
  fileSystem.unlink("/home/work/a.txt");
  fileSystem.unlink("/home/work/empty");
  expect(fileSystem.usage()).toMatchObject({ bytes: 2, files: 0, open: 1 });
  expect(textOf(setup().fileSystem.readFile("/home/work/a.txt"))).toBe("a");
});

test("[VF13] a mount point stays where it is; a sealed one takes no change", () => {
  const { fileSystem } = setup("sealed");
  for (const act of [
    () => fileSystem.writeFile("/home/work/a.txt", bytesOf("x")),
    () => fileSystem.writeFile("/home/work/new", bytesOf("x")),
    () => fileSystem.unlink("/home/work/sub/b.txt"),
    () => fileSystem.rename("/home/work/sub", "/moved"),
    () => fileSystem.setMode("/home/work/a.txt", 0o600),
    () => fileSystem.setTimes("/home/work/a.txt", { mtime: 1n }, "keep"),
    () => fileSystem.link("/home/work/a.txt", "/a"),
    () => fileSystem.truncate("/home/work/a.txt", 0),
  ])
    expect(act).toThrow(expect.objectContaining({ code: "EROFS" }));
  expect(() => fileSystem.rename("/home/work", "/w")).toThrow(expect.objectContaining({ code: "EBUSY" }));
  expect(() => fileSystem.rename("/home", "/h")).toThrow(expect.objectContaining({ code: "EBUSY" }));
  expect(textOf(fileSystem.readFile("/home/work/a.txt"))).toBe("a");
});

test("[VF13] a base that fails is an error of the file system", () => {
  const fileSystem = createMemoryFileSystem({
    now: () => 0n,
    random: (length) => new Uint8Array(length),
    mounts: [
      {
        at: "/w",
        base: {
          list: () => [{ name: "f", kind: "file", mode: 0o644, size: 3, mtime: 0n }],
          read: () => bytesOf("longer than it said"),
        },
      },
    ],
  });
  expect(() => fileSystem.readFile("/w/f")).toThrow(expect.objectContaining({ code: "EIO" }));
  expect(() => fileSystem.open("/w/f", { append: true }).write(bytesOf("x"))).toThrow(FileSystemError);
  expect(fileSystem.usage().bytes).toBe(0);
});

test("[VF14] changes name what was created, modified and deleted", () => {
  const { fileSystem } = setup();
  const at = "/home/work";
  fileSystem.writeFile(`${at}/a.txt`, bytesOf("changed"));
  fileSystem.writeFile(`${at}/empty`, bytesOf(""));
  fileSystem.setMode(`${at}/other/d.txt`, 0o755);
  fileSystem.rename(`${at}/sub`, `${at}/moved`);
  fileSystem.symlink("a.txt", `${at}/link`);
  const changes = fileSystem.changes(at).map(({ change, path, kind }) => `${change} ${kind} ${path}`);
  expect(changes).toEqual([
    "modified file a.txt",
    "created symlink link",
    "created directory moved",
    "created file moved/b.txt",
    "created directory moved/deep",
    "created file moved/deep/c.txt",
    "modified file other/d.txt",
    "deleted directory sub",
    "deleted file sub/b.txt",
    "deleted directory sub/deep",
    "deleted file sub/deep/c.txt",
  ]);
  expect(() => fileSystem.changes("/home")).toThrow(expect.objectContaining({ code: "EINVAL" }));
});

test("[VF14] what is done and undone is no change", () => {
  const { fileSystem } = setup();
  const at = "/home/work";
  fileSystem.rename(`${at}/sub`, `${at}/moved`);
  fileSystem.rename(`${at}/moved`, `${at}/sub`);
  fileSystem.writeFile(`${at}/a.txt`, bytesOf("other"));
  fileSystem.writeFile(`${at}/a.txt`, bytesOf("a"));
  fileSystem.unlink(`${at}/other/d.txt`);
  fileSystem.removeDirectory(`${at}/other`);
  fileSystem.makeDirectory(`${at}/other`);
  fileSystem.writeFile(`${at}/other/d.txt`, bytesOf("d"));
  expect(fileSystem.changes(at)).toEqual([]);
});

/** Every path under the mount point with what is there, by the file system alone. */
function treeOf(fileSystem: FileSystem, folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, kind } of fileSystem.readDirectory(`/home/work/${folder}`)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    found.set(path, kind === "directory" ? "/" : describe(fileSystem, path, kind));
    if (kind === "directory") for (const [inside, what] of treeOf(fileSystem, path)) found.set(inside, what);
  }
  return found;
}

function describe(fileSystem: FileSystem, path: string, kind: string): string {
  return kind === "symlink"
    ? `-> ${fileSystem.readLink(`/home/work/${path}`)}`
    : `= ${textOf(fileSystem.readFile(`/home/work/${path}`))}`;
}

const name = fc.constantFrom(
  "a.txt",
  "sub",
  "sub/b.txt",
  "sub/deep",
  "other",
  "other/d.txt",
  "new",
  "new/x",
  "empty",
);
const step = fc.oneof(
  fc.record({ act: fc.constant("write" as const), path: name, text: fc.constantFrom("", "a", "b", "xyz") }),
  fc.record({
    act: fc.constantFrom("unlink" as const, "rmdir" as const, "mkdir" as const),
    path: name,
    to: name,
  }),
  fc.record({
    act: fc.constantFrom("rename" as const, "link" as const, "symlink" as const),
    path: name,
    to: name,
  }),
);

test("[VF14] base and changes together give the tree, whatever was done", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { fileSystem } = setup();
      const expected = treeOf(setup().fileSystem, "");
      for (const one of steps) {
        const path = `/home/work/${one.path}`;
        try {
          if (one.act === "write") fileSystem.writeFile(path, bytesOf(one.text));
          else if (one.act === "unlink") fileSystem.unlink(path);
          else if (one.act === "rmdir") fileSystem.removeDirectory(path);
          else if (one.act === "mkdir") fileSystem.makeDirectory(path);
          else if (one.act === "rename") fileSystem.rename(path, `/home/work/${one.to}`);
          else if (one.act === "link") fileSystem.link(path, `/home/work/${one.to}`);
          else fileSystem.symlink(one.path, `/home/work/${one.to}`);
        } catch (error) {
          if (!(error instanceof FileSystemError)) throw error;
        }
      }
      for (const { path, change, kind } of fileSystem.changes("/home/work")) {
        if (change === "deleted") expect(expected.delete(path), path).toBe(true);
        else {
          expect(expected.has(path), path).toBe(change === "modified");
          const now = kind === "directory" ? "/" : describe(fileSystem, path, kind);
          expect(expected.get(path)).not.toBe(now);
          expected.set(path, now);
        }
      }
      expect(expected).toEqual(treeOf(fileSystem, ""));
      expect(fileSystem.usage().files).toBeLessThanOrEqual(expected.size);
      expect(fileSystem.usage().bytes).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 400 },
  );
});
