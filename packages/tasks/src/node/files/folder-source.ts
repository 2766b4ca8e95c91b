import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join, matchesGlob, posix, sep } from "node:path";
import { type Clock, makeVisible } from "@deputy/kit";
import type { Delivery } from "../../inbox/inbox.ts";
import type { EventSource } from "../../sources/event-source.ts";
import { TasksError } from "../../tasks-error.ts";
import { openCursorFile } from "../cursor-file.ts";
import type { FileChange, FileChangeKind } from "./file-change.ts";
import { changesSince, createSettling } from "./folder-changes.ts";
import { openFolderHints } from "./folder-hints.ts";
import { type FolderSnapshot, snapshotCodec } from "./folder-snapshot.ts";
import { type FolderScan, scanFolder } from "./scan-folder.ts";

export interface FolderSettings {
  /** Whole. */
  readonly path: string;
  /** Selects files. A glob without `/` is matched against the file's name. Default: all files that are not hidden. */
  readonly glob?: string;
  readonly on: readonly FileChangeKind[];
}

/** A delivery's facts about a file; its content is not included. */
export interface FilePayload {
  readonly kind: FileChangeKind;
  readonly path: string;
  readonly folder: string;
  readonly size: number;
  readonly mtime: string;
}

/** If hints are lost, it takes this long. */
const RESCAN_MS = 60_000;
/** A file that was stable for this long counts as written. */
const SETTLE_MS = 2_000;

/** More files take too long to scan every minute. */
const MAX_ENTRIES = 20_000;
/** It rests this many times as long as a scan took, so that a large, busy folder does not occupy a core. */
const REST = 10;

/** The id of this source's deliveries: another folder under the same name has another id. */
export function folderSourceId(name: string, { path, glob }: FolderSettings): string {
  return `files:${createHash("sha256")
    .update(JSON.stringify([name, path, glob]))
    .digest("hex")}`;
}

/**
 * Watches a folder and everything under it. Each file that is created, changed or removed becomes one delivery, once
 * it is stable. Changes while no process watched are found at the start, by comparing with a snapshot. When the
 * source is opened for the first time, it reports changes from then on.
 */
export function createFolderSource(deps: {
  readonly name: string;
  readonly settings: FolderSettings;
  readonly snapshotFile: string;
  /** Deputy's own home: its files change with every delivery. */
  readonly home: string;
  readonly clock: Clock;
}): EventSource {
  const { name, settings, clock } = deps;
  const id = folderSourceId(name, settings);
  const file = openCursorFile(deps.snapshotFile, snapshotCodec);
  const fits = (path: string): boolean => fitsGlob(path, settings.glob);

  const deliveryOf = (
    root: string,
    snapshot: FolderSnapshot,
    { kind, path, facts }: FileChange,
  ): Delivery => {
    const { mtimeNs, size, ino } = facts;
    const payload: FilePayload = {
      kind,
      path: join(root, path),
      folder: root,
      size,
      mtime: new Date(Number(BigInt(mtimeNs) / 1_000_000n)).toISOString(),
    };
    const text = JSON.stringify(payload);
    return {
      hookId: id,
      hook: name,
      scheme: "files",
      // After a crash the same change is in the same snapshot, and has the same key.
      key: JSON.stringify([snapshot.since, snapshot.revision, kind, path, mtimeNs, size, ino]),
      deliveryId: `${kind} ${path}`,
      event: `file.${kind}`,
      contentType: "application/json",
      bytes: Buffer.byteLength(text),
      sha256: createHash("sha256").update(text).digest("hex"),
      payload,
    };
  };

  return {
    name,
    async open({ accept, onState, signal }) {
      onState({ kind: "connecting" });
      const root = await rootOf(settings.path);
      const home = await realpath(deps.home);
      if (root === home || root.startsWith(home + sep)) throw ownHome(root);
      using hints = openFolderHints(root, clock);
      const settling = createSettling(SETTLE_MS);
      const stored = await file.read();
      let snapshot = stored?.id === id ? stored : undefined;
      /** After a crash, the deliveries are repeated from the file. The inbox ignores those it already has. */
      const deliver = async (of: FolderSnapshot): Promise<FolderSnapshot> => {
        for (const change of of.due)
          if (settings.on.includes(change.kind)) await accept(deliveryOf(root, of, change));
        const next = advance(of);
        await file.write(next);
        return next;
      };
      if (snapshot !== undefined && snapshot.due.length > 0) snapshot = await deliver(snapshot);
      for (;;) {
        const beganMs = clock.monotonicMs();
        const scan = await scanFolder({ root, fits, except: home, maxEntries: MAX_ENTRIES }, signal);
        const restMs = REST * (clock.monotonicMs() - beganMs);
        const hasNew = hints.follow(scan.directories);
        if (snapshot === undefined) {
          const since = new Date(clock.now()).toISOString();
          snapshot = { id, since, revision: 1, root: scan.root, files: scan.files, due: [] };
          await file.write(snapshot);
        }
        assertMounted(snapshot, scan, root);
        const due = settling.settled(changesSince(snapshot.files, scan), clock.monotonicMs());
        if (due.length > 0) {
          snapshot = { ...snapshot, root: scan.root, due };
          await file.write(snapshot);
          snapshot = await deliver(snapshot);
        }
        onState({ kind: "watching", by: hints.isBlind ? "polling" : "push", ...noteOf(scan) });
        // Files that came into a new directory before it was followed gave no hint.
        const isSoon = hasNew || settling.isWaiting;
        await hints.next({ atLeastMs: restMs, atMostMs: isSoon ? SETTLE_MS : RESCAN_MS }, signal);
      }
    },
  };
}

function advance(snapshot: FolderSnapshot): FolderSnapshot {
  const files = new Map(snapshot.files);
  for (const { kind, path, facts } of snapshot.due)
    if (kind === "removed") files.delete(path);
    else files.set(path, facts);
  return { ...snapshot, revision: snapshot.revision + 1, files, due: [] };
}

function fitsGlob(path: string, glob: string | undefined): boolean {
  const base = posix.basename(path);
  if (glob === undefined) return !base.startsWith(".");
  return matchesGlob(glob.includes("/") ? path : base, glob);
}

async function rootOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw new TasksError("source_refused", `There is no folder ${path} that can be read`, {
      cause,
      hint: "Make it, or mount it; or change `path`. Deputy tries again.",
    });
  }
}

function ownHome(root: string): TasksError {
  return new TasksError("source_refused", `${root} is Deputy's own: its changes there are not events`, {
    hint: "Watch a folder outside of the home.",
  });
}

/** A missing drive leaves an empty folder behind; its files were not removed. */
function assertMounted(snapshot: FolderSnapshot, scan: FolderScan, root: string): void {
  const isEmpty = scan.directories.size === 1 && scan.files.size === 0 && scan.unreadable.length === 0;
  if (!isEmpty || snapshot.files.size === 0 || snapshot.root === scan.root) return;
  throw new TasksError("source_refused", `${root} is empty, and another folder than before`, {
    hint: "Mount its drive. If it is meant to be empty, put any file into it.",
  });
}

function noteOf({ unreadable }: FolderScan): { readonly note?: string } {
  if (unreadable.length === 0) return {};
  const more = unreadable.length === 1 ? "" : ` and ${unreadable.length - 1} more`;
  return { note: `Cannot look at ${makeVisible(unreadable[0] ?? "")}${more}` };
}
