import type { Base, BaseFile } from "./base.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A base as stores keep it: one line for each file, so that a person can read it too. */
export function formatBase({ root, exclude, files }: Base): string {
  const rows = [...files].map(([path, { sha256, size, executable, seen }]) =>
    JSON.stringify([path, sha256, size, executable, seen ?? null]),
  );
  const head = JSON.stringify({ version: 1, root: root ?? null, exclude });
  return `${[head, ...rows].join("\n")}\n`;
}

/** Throws `workspace_damaged`. */
export function parseBase(text: string): Base {
  try {
    const [head = "", ...rows] = text.trimEnd().split("\n");
    const { version, root, exclude } = JSON.parse(head) as Record<string, unknown>;
    if (version !== 1 || !isNames(exclude)) throw new Error("its head has an unknown form");
    const files = new Map(rows.map(parseRow));
    return { ...(typeof root === "string" ? { root } : {}), exclude, files };
  } catch (cause) {
    throw new WorkspaceError("workspace_damaged", "What the workspace was made of cannot be read", {
      cause,
      hint: "Look at what is in its tree, keep what you need, then remove the workspace's folder and import again.",
    });
  }
}

function parseRow(row: string): [string, BaseFile] {
  const [path, sha256, size, executable, seen] = JSON.parse(row) as unknown[];
  if (typeof path !== "string" || typeof sha256 !== "string" || typeof size !== "number")
    throw new Error("a row has an unknown form");
  return [
    path,
    { sha256, size, executable: executable === true, ...(typeof seen === "string" ? { seen } : {}) },
  ];
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
