import type { Workspace } from "@deputy/workspace";
import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import type { WorkspaceLane } from "@deputy/workspace";
import {
  askAboutChanges,
  askAboutFurther,
  askToRemoveFurther,
  findToWrite,
  type FurtherFolders,
  REAL_WRITE,
  readFurther,
  removeFurther,
  searchedFurther,
  type SearchedFiles,
  stateOfFurther,
  writeFurther,
} from "./further-folders.ts";

/** More would fill a model's context rather than help it. */
const MOST_READ_CHARS = 1_000_000;
const MOST_FOUND = 1_000;

const path = z.string().max(4_096).describe("Relative to the workspace");
const folder = path.default("").describe("A folder; all of the workspace when left out");
/** It changes the agents' own copy only: whose values they are matters at the commit. */
/**
 * The result has no text of anybody's, not even the path: who has only written has read nothing, and what is sent
 * afterwards need not ask.
 */
const tellsNothing = { trust: "trusted" } as const;
const shadow = { approval: "auto", effect: "write", idempotent: false, critical: [], isLocal: true } as const;

/** `tools.files.*`: the workspace's files. What is written stays in the workspace until it is committed. */
export function filesTools(
  workspace: () => Promise<Workspace>,
  lane: WorkspaceLane,
  further?: FurtherFolders,
): ToolTree {
  const place = (at: string, to: "read" | "write") => further?.find(at, to);
  const realWrites =
    further === undefined
      ? {}
      : {
          terms: ({ path: at }: { readonly path: string }) =>
            place(at, "write") === undefined ? {} : REAL_WRITE,
          circumstances: async ({ path: at }: { readonly path: string }) => {
            const found = place(at, "write");
            return found === undefined ? "" : await stateOfFurther(found);
          },
        };
  const patching = () => import("../patch/patched-files.ts");
  const realPatches =
    further === undefined
      ? {}
      : {
          terms: async ({ patch }: { readonly patch: string }) =>
            (await patching()).furtherIn(patch, further).length === 0 ? {} : REAL_WRITE,
          circumstances: async ({ patch }: { readonly patch: string }) => {
            const found = (await patching()).furtherIn(patch, further);
            return (await Promise.all(found.map(stateOfFurther))).join("\n");
          },
        };
  /** The files to search at a path, and the path as those have it. */
  const searched = async (at: string): Promise<{ readonly files: SearchedFiles; readonly path: string }> => {
    const outside = place(at, "read");
    return outside === undefined || further === undefined
      ? { files: await workspace(), path: at }
      : { files: searchedFurther(further, outside), path: outside.shown };
  };
  /** With the folders that the settings name, or without. */
  const alsoOutside =
    further === undefined ? "" : "; or of a folder of the user's that they allow, by its whole path";
  return {
    read: defineTool({
      description: `Read a text file of the workspace, all of it or some lines${alsoOutside}`,
      approval: "auto",
      isLocal: true,
      throws: ["not_found", "not_a_file", "not_text", "text_too_long", "file_too_large", "path_refused"],
      args: z.object({
        path,
        offset: z.int().min(1).optional().describe("The first line, from 1"),
        limit: z.int().min(1).optional().describe("How many lines"),
      }),
      returns: z.object({ content: z.string(), lines: z.int().describe("In the whole file") }),
      run: async ({ path: at, offset = 1, limit }, { signal }) => {
        const outside = place(at, "read");
        const text =
          outside === undefined
            ? await (await workspace()).readText(at, signal)
            : await readFurther(outside, signal);
        const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const content =
          offset === 1 && limit === undefined
            ? text
            : lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit).join("");
        if (content.length > MOST_READ_CHARS)
          throw new ToolsError(
            "text_too_long",
            `${at} has ${text.length} characters in ${lines.length} lines`,
            {
              hint: "Read some lines of it, with offset and limit.",
            },
          );
        return { content, lines: lines.length };
      },
    }),

    write: defineTool({
      description: `Save text to a file of the workspace, whole; it is created if it is not there${alsoOutside}`,
      ...shadow,
      ...realWrites,
      idempotent: true,
      ...tellsNothing,
      throws: ["not_a_file", "path_refused"],
      args: z.object({ path, content: z.string() }),
      returns: z.object({ change: z.enum(["created", "replaced"]), bytes: z.int() }),
      run: async ({ path: at, content }, { signal }) => {
        const outside = findToWrite(further, at);
        return {
          change:
            outside === undefined
              ? await lane(signal, async () => await (await workspace()).write(at, content, signal))
              : await writeFurther(outside, content, signal),
          bytes: new TextEncoder().encode(content).length,
        };
      },
      formatApproval: async ({ path: at, content }) => {
        const outside = place(at, "write");
        return outside === undefined
          ? { title: `Write ${at}` }
          : await askAboutFurther(outside, () => content);
      },
    }),

    edit: defineTool({
      description: `Change a file of the workspace${alsoOutside}: replace a piece of its text, which must be there exactly, and once`,
      ...shadow,
      ...realWrites,
      ...tellsNothing,
      throws: ["not_found", "not_text", "text_not_found", "text_ambiguous", "path_refused"],
      args: z.object({
        path,
        find: z.string().min(1),
        replace: z.string(),
        all: z.boolean().default(false).describe("Everywhere it is found"),
      }),
      returns: z.object({ replacements: z.int() }),
      run: async ({ path: at, ...edit }, { signal }) => {
        const { editText } = await import("./edit-text.ts");
        const outside = findToWrite(further, at);
        if (outside !== undefined) {
          const edited = editText(at, await readFurther(outside, signal), edit);
          await writeFurther(outside, edited.text, signal);
          return { replacements: edited.replacements };
        }
        return await lane(signal, async () => {
          const opened = await workspace();
          const { text, replacements } = editText(at, await opened.readText(at, signal), edit);
          await opened.write(at, text, signal);
          return { replacements };
        });
      },
      formatApproval: async ({ path: at, ...edit }) => {
        const outside = place(at, "write");
        if (outside === undefined) return { title: `Edit ${at}` };
        const { editText } = await import("./edit-text.ts");
        return await askAboutFurther(outside, (before) => editText(at, before ?? "", edit).text);
      },
    }),

    applyPatch: defineTool({
      description:
        "Apply a patch to files of the workspace: a unified diff, or *** Begin Patch. All of it, or nothing",
      ...shadow,
      ...realPatches,
      throws: ["patch_invalid", "patch_conflict", "path_refused"],
      args: z.object({ patch: z.string().max(2_000_000) }),
      returns: z.object({
        files: z.array(
          z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted", "moved"]) }),
        ),
      }),
      run: async ({ patch }, { signal }) => {
        const { applyPatch } = await import("../patch/apply-patch.ts");
        const files = (await patching()).patchedFiles(workspace, further);
        return { files: [...(await lane(signal, () => applyPatch(files, patch, signal)))] };
      },
      formatApproval: async ({ patch }) => {
        const { furtherChanges, patchedFiles } = await patching();
        const files = patchedFiles(workspace, further);
        const changes = further === undefined ? [] : await furtherChanges(files, further, patch);
        return changes.length === 0 ? { title: "Apply a patch" } : askAboutChanges(changes);
      },
    }),

    remove: defineTool({
      description: `Delete a file of the workspace${alsoOutside}`,
      ...shadow,
      ...realWrites,
      ...tellsNothing,
      throws: ["not_found", "path_refused"],
      args: z.object({ path }),
      returns: z.object({ change: z.literal("removed") }),
      run: async ({ path: at }, { signal }) => {
        const outside = findToWrite(further, at);
        if (outside !== undefined) return { change: await removeFurther(outside, signal) };
        await lane(signal, async () => await (await workspace()).remove(at, signal));
        return { change: "removed" as const };
      },
      formatApproval: async ({ path: at }) => {
        const outside = place(at, "write");
        return outside === undefined ? { title: `Delete ${at}` } : await askToRemoveFurther(outside);
      },
    }),

    list: defineTool({
      description: `List the files and folders that are in a folder of the workspace${alsoOutside}`,
      approval: "auto",
      isLocal: true,
      throws: ["not_found", "not_a_folder", "path_refused"],
      args: z.object({ path: folder }),
      returns: z.array(z.object({ name: z.string(), kind: z.enum(["file", "folder", "other"]) })),
      run: async ({ path: at }, { signal }) => {
        const outside = place(at, "read");
        return outside === undefined
          ? [...(await (await workspace()).list(at, signal))]
          : [...(await outside.tree.list(outside.path, signal))];
      },
    }),

    glob: defineTool({
      description: `Find files of the workspace by name or path, such as src/**/*.ts${alsoOutside}`,
      approval: "auto",
      isLocal: true,
      throws: ["pattern_invalid", "not_found", "path_refused"],
      args: z.object({
        pattern: z.string().min(1).max(1_000).describe("* and ? in a name, ** over folders, [a-z], {a,b}"),
        path: folder,
        limit: z.int().min(1).max(MOST_FOUND).default(200),
      }),
      returns: z.object({ paths: z.array(z.string()), isCut: z.boolean().describe("There are more") }),
      run: async ({ pattern, path: at, limit }, { signal }) => {
        const { compileGlob } = await import("@deputy/kit/pattern");
        const { folder: within, rest } = at === "" ? splitPattern(pattern) : { folder: at, rest: pattern };
        const matches = compileGlob(rest);
        const { files: tree, path: from } = await searched(within);
        const files = await tree.walk(from, signal);
        const prefix =
          files[0] === undefined || within === "" ? 0 : files[0].length - relativeTo(from, files[0]).length;
        const found = files.filter((file) => matches(file.slice(prefix)));
        return { paths: found.slice(0, limit), isCut: found.length > limit };
      },
    }),

    grep: defineTool({
      description:
        "Search the workspace's text and code for a regular expression, line by line, in linear time",
      approval: "auto",
      isLocal: true,
      throws: ["pattern_invalid", "not_found", "path_refused"],
      args: z.object({
        pattern: z.string().min(1).max(1_000).describe("No look-around, no back references"),
        literal: z.boolean().default(false).describe("The pattern is plain text"),
        ignoreCase: z.boolean().default(false),
        path: folder,
        glob: z.string().max(1_000).optional().describe("Only in files whose path fits it"),
        limit: z.int().min(1).max(MOST_FOUND).default(100),
      }),
      returns: z.object({
        matches: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
        isCut: z.boolean().describe("There may be more"),
        filesSearched: z.int(),
      }),
      run: async ({ literal, ignoreCase, ...order }, { signal }) => {
        const { grepFiles } = await import("../search/grep-files.ts");
        const how = { isLiteral: literal, letters: ignoreCase ? "any-case" : "exact" } as const;
        const { files, path: from } = await searched(order.path);
        const { matches, ...rest } = await grepFiles(files, { ...order, ...how, path: from }, signal);
        return { matches: [...matches], ...rest };
      },
    }),
  };
}

/** A pattern that is a whole path names the folder itself, down to its first sign: `/books/*.md` is `*.md` in `/books`. */
function splitPattern(pattern: string): { readonly folder: string; readonly rest: string } {
  if (!pattern.startsWith("/")) return { folder: "", rest: pattern };
  const names = pattern.split("/");
  const first = names.findIndex((name) => /[*?[\]{}]/.test(name));
  const depth = first === -1 ? names.length - 1 : first;
  return { folder: names.slice(0, depth).join("/") || "/", rest: names.slice(depth).join("/") };
}

/** The part of a file's path below a folder that it lies in, however the folder was written. */
function relativeTo(folderPath: string, file: string): string {
  const depth = folderPath.split("/").filter((name) => name !== "" && name !== ".").length;
  return file.replace(/^\//, "").split("/").slice(depth).join("/");
}
