import { constants, lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { WorkspaceError } from "../workspace-error.ts";
import { fileFailure, linkRefused } from "./file-failure.ts";

/** A folder that was reached without following a link. It stays the same folder even if its name changes. */
export interface AnchoredFolder extends AsyncDisposable {
  /** The path under which a name in it can be opened, made, renamed or removed. */
  at(name: string): string;
  sync(): Promise<void>;
}

/** Linux can address an open file by its number, so that a link cannot be inserted after the check. */
export const CAN_TELL = process.platform === "linux";
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The folder of a file's path; created if it is missing and `missing` says so. Throws `link_refused`,
 * `not_a_folder` or `not_found`.
 */
export async function anchorFolderOf(
  root: string,
  path: string,
  missing: "make" | "refuse",
): Promise<AnchoredFolder> {
  const names = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= names.length; depth++) {
    const folder = names.slice(0, depth).join("/");
    assertFolder(root, folder, missing);
  }
  const place = join(root, ...names);
  let handle: FileHandle | undefined;
  try {
    handle = await open(place, FOLDER);
    if (!isAt(handle.fd, place)) throw linkRefused(path);
    const owned = handle;
    return {
      at: (name) => join(CAN_TELL ? `/proc/self/fd/${owned.fd}` : place, name),
      sync: () => owned.sync(),
      [Symbol.asyncDispose]: () => owned.close(),
    };
  } catch (error) {
    await handle?.close();
    throw fileFailure(path, error);
  }
}

/** True if the open file is the one that the path names. Only Linux can tell. */
export function isAt(fd: number, place: string): boolean {
  return !CAN_TELL || readlinkSync(`/proc/self/fd/${fd}`) === place;
}

function assertFolder(root: string, folder: string, missing: "make" | "refuse"): void {
  const place = join(root, folder);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found?.isSymbolicLink() === true) throw linkRefused(folder);
  if (found !== undefined) throw new WorkspaceError("not_a_folder", `${folder} is not a folder`);
  if (missing === "refuse") throw new WorkspaceError("not_found", `There is no ${folder}`);
  try {
    mkdirSync(place);
  } catch (error) {
    // Another process was quicker; what it made is checked when it is opened.
    if (systemCodeOf(error) !== "EEXIST") throw fileFailure(folder, error);
  }
}
