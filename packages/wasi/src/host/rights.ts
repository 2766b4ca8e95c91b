/** What a descriptor may be used for, as preview 1 numbers it. */
export const RIGHT = {
  fdDatasync: 1n << 0n,
  fdRead: 1n << 1n,
  fdSeek: 1n << 2n,
  fdSetFlags: 1n << 3n,
  fdSync: 1n << 4n,
  fdTell: 1n << 5n,
  fdWrite: 1n << 6n,
  fdAdvise: 1n << 7n,
  fdAllocate: 1n << 8n,
  pathCreateDirectory: 1n << 9n,
  pathCreateFile: 1n << 10n,
  pathLinkSource: 1n << 11n,
  pathLinkTarget: 1n << 12n,
  pathOpen: 1n << 13n,
  fdReaddir: 1n << 14n,
  pathReadlink: 1n << 15n,
  pathRenameSource: 1n << 16n,
  pathRenameTarget: 1n << 17n,
  pathStat: 1n << 18n,
  pathSetSize: 1n << 19n,
  pathSetTimes: 1n << 20n,
  fdStat: 1n << 21n,
  fdSetSize: 1n << 22n,
  fdSetTimes: 1n << 23n,
  pathSymlink: 1n << 24n,
  pathRemoveDirectory: 1n << 25n,
  pathUnlink: 1n << 26n,
  poll: 1n << 27n,
} as const;

const all = (...names: readonly (keyof typeof RIGHT)[]): bigint =>
  names.reduce((rights, name) => rights | RIGHT[name], 0n);

export const FILE_RIGHTS = all(
  "fdDatasync",
  "fdRead",
  "fdSeek",
  "fdSetFlags",
  "fdSync",
  "fdTell",
  "fdWrite",
  "fdAdvise",
  "fdAllocate",
  "fdStat",
  "fdSetSize",
  "fdSetTimes",
  "poll",
);

export const DIRECTORY_RIGHTS = all(
  "fdSetFlags",
  "fdSync",
  "fdAdvise",
  "pathCreateDirectory",
  "pathCreateFile",
  "pathLinkSource",
  "pathLinkTarget",
  "pathOpen",
  "fdReaddir",
  "pathReadlink",
  "pathRenameSource",
  "pathRenameTarget",
  "pathStat",
  "pathSetSize",
  "pathSetTimes",
  "fdStat",
  "fdSetTimes",
  "pathSymlink",
  "pathRemoveDirectory",
  "pathUnlink",
  "poll",
);

/** A pipe or terminal: neither offsets nor sizes. */
export const INPUT_RIGHTS = all("fdRead", "fdSetFlags", "fdStat", "poll");
export const OUTPUT_RIGHTS = all("fdWrite", "fdSetFlags", "fdStat", "poll");

/** What only makes sense on a file that was opened for writing. */
export const WRITE_RIGHTS = all("fdWrite", "fdAllocate", "fdSetSize", "fdDatasync");
