import { requireTool } from "@deputy/testing";
import { createCatalogue } from "@deputy/tools";
import { createMemoryFileTree, createWorkspaceLane } from "@deputy/workspace";
import { expect, test } from "vitest";
import { filesTools } from "./files-tools.ts";
import type { FurtherFolders } from "./further-folders.ts";

const live = new AbortController().signal;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `/notes` may be written, `/books` only read; there is no workspace, so whatever reaches for it fails. */
async function setup() {
  const tree = createMemoryFileTree();
  await tree.write("todo.md", encode("milk\nbread\n"), {}, live);
  await tree.write("picture", new Uint8Array([0xff, 0xfe, 0x00]), {}, live);
  const books = createMemoryFileTree();
  await books.write("moby.md", encode("Call me Ishmael."), {}, live);
  const further: FurtherFolders = {
    find(path, to) {
      const [, name, below = ""] = /^\/(notes|books)(?:\/(.*))?$/.exec(path) ?? [];
      if (name === undefined || (name === "books" && to === "write")) return undefined;
      return { tree: name === "books" ? books : tree, path: below, shown: path };
    },
  };
  const noWorkspace = () => Promise.reject(new Error("This is for the workspace"));
  const tools = filesTools(noWorkspace, createWorkspaceLane(), further);
  const catalogue = createCatalogue([{ source: "test", tree: { files: tools } }]);
  const toolAt = (path: string) => requireTool(catalogue, path);
  const call = async (path: string, raw: object): Promise<unknown> => {
    const parsed = await toolAt(path).parseInput(raw);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    const context = { signal: live, idempotencyKey: "k", sessionKey: "s", approvedBy: "user" } as const;
    return await toolAt(path).run(parsed.input, { ...context, progress: () => {}, log: () => {} });
  };
  const real = async () => new TextDecoder().decode(await tree.read("todo.md", 1_000, live));
  return { toolAt, call, real, tree };
}

test("[TB30] files of folders that the settings name are read and listed by their whole path", async () => {
  const { call } = await setup();
  expect(await call("files.read", { path: "/books/moby.md" })).toEqual({
    content: "Call me Ishmael.",
    lines: 1,
  });
  expect(await call("files.list", { path: "/notes" })).toMatchObject([
    { name: "picture" },
    { name: "todo.md" },
  ]);
  await expect(call("files.read", { path: "/notes/picture" })).rejects.toMatchObject({ code: "not_text" });
});

test("[TB30] writing and editing there always asks, with the real change as a diff", async () => {
  const { toolAt, call, real } = await setup();
  const inputs = {
    "files.write": { path: "/notes/todo.md", content: "milk\nwine\n" },
    "files.edit": { path: "/notes/todo.md", find: "bread", replace: "wine", all: false },
  };
  for (const [path, input] of Object.entries(inputs)) {
    expect(await toolAt(path).termsOf?.(input), path).toMatchObject({
      approval: "required",
      effect: "destructive",
      critical: "all",
    });
    const { title, changes } = await toolAt(path).preview(input);
    expect(title).toBe("Change /notes/todo.md");
    expect(JSON.stringify(changes)).toContain("-bread");
    expect(JSON.stringify(changes)).toContain("+wine");
  }
  expect((await toolAt("files.write").preview({ path: "/notes/new.md", content: "x" })).title).toBe(
    "Create /notes/new.md",
  );
  expect(await call("files.edit", inputs["files.edit"])).toEqual({ replacements: 1 });
  expect(await real()).toBe("milk\nwine\n");
  expect(await call("files.write", { path: "/notes/todo.md", content: "" })).toMatchObject({
    change: "replaced",
  });
  expect(await real()).toBe("");
});

test("[TB30] a yes is to the file as it was shown", async () => {
  const { toolAt, tree } = await setup();
  const input = { path: "/notes/todo.md", content: "x" };
  const now = () => toolAt("files.write").circumstancesOf?.(input);
  const before = await now();
  expect(await now()).toBe(before);
  await tree.write("todo.md", encode("changed by somebody"), {}, live);
  expect(await now()).not.toBe(before);
});

test("[TB30] what may only be read is not written, git's own files neither, and the workspace asks as before", async () => {
  const { toolAt, call } = await setup();
  await expect(call("files.write", { path: "/books/moby.md", content: "x" })).rejects.toThrow(
    "may be read, and not written",
  );
  await expect(call("files.write", { path: "/notes/.git/config", content: "x" })).rejects.toMatchObject({
    code: "path_refused",
  });
  expect((await toolAt("files.write").termsOf?.({ path: "todo.md", content: "x" }))?.approval ?? "auto").toBe(
    "auto",
  );
});
