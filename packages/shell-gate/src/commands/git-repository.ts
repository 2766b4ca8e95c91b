import { MAX_GIT_CONFIG_BYTES, MAX_GIT_INDEX_BYTES, MAX_LISTED } from "../limits.ts";
import type { PathFacts } from "../paths/path-facts.ts";

/** Settings of a repository that run nothing and lead nowhere. Every other one may. */
const HARMLESS = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|quotepath|abbrev)$/,
  /^remote\.[^\n]*\.(?:url|fetch|pushurl|tagopt)$/,
  /^branch\.[^\n]*\.(?:remote|merge|rebase)$/,
  /^(?:user\.(?:name|email)|init\.defaultbranch|pull\.rebase|push\.default|color\.ui|commit\.gpgsign)$/,
];

/**
 * Why running git in a directory may run or read something else: settings, hooks, or a repository that is not the
 * workspace's own. Nothing where there is no repository at all. git goes up until it finds a repository that it takes
 * for whole, and tries the directory itself where its `.git` is not: each level must be harmless up to the first that
 * certainly stops it.
 */
export function findGitRisk(
  directory: string,
  facts: PathFacts,
  isOurs: (path: string) => boolean,
): string | undefined {
  for (let at = directory; ; at = at.replace(/\/[^/]*$/, "")) {
    const own = `${at}/.git`;
    const entry = facts.look(own);
    if (entry !== undefined) {
      if (entry.kind !== "directory") return `${own} leads to a repository elsewhere`;
      if (!isOurs(own)) return `its repository is ${own}, which is outside of the workspace`;
      const risk = findRepositoryRisk(own, facts) ?? findInnerRepository(at, facts);
      if (risk !== undefined) return risk;
    }
    const has = (name: string): boolean => facts.look(`${at}/${name}`) !== undefined;
    if (has("HEAD") && ["objects", "refs", "commondir", "config"].some(has))
      return `${at} looks like a bare repository`;
    if (at === "" || (entry !== undefined && isWhole(own, facts))) return undefined;
  }
}

/** True if git certainly takes this directory for a repository, and looks no further. */
function isWhole(own: string, facts: PathFacts): boolean {
  return (
    facts.look(`${own}/objects`)?.kind === "directory" &&
    facts.look(`${own}/refs`)?.kind === "directory" &&
    /^(?:ref: refs\/[\w./-]+|[\da-f]{40,64})\s*$/.test(facts.text(`${own}/HEAD`, MAX_GIT_CONFIG_BYTES) ?? "")
  );
}

/** git goes into the repositories that its index lists, and does there what their own settings say. */
function findInnerRepository(at: string, facts: PathFacts): string | undefined {
  const path = `${at}/.git/index`;
  if (facts.look(path) === undefined) return undefined;
  const bytes = facts.bytes(path, MAX_GIT_INDEX_BYTES);
  const links = bytes === undefined ? undefined : readGitLinks(bytes);
  if (links === undefined) return `${path} cannot be read`;
  const inner = links.find((name) => facts.look(`${at}/${name}/.git`) !== undefined);
  return inner === undefined ? undefined : `${at}/${inner} is a repository with settings of its own`;
}

function findRepositoryRisk(own: string, facts: PathFacts): string | undefined {
  const redirect = ["commondir", "objects/info/alternates", "modules", "config.worktree"].find(
    (name) => facts.look(`${own}/${name}`) !== undefined,
  );
  if (redirect !== undefined) return `${own}/${redirect} leads to more repositories`;
  const link = (facts.list(own, MAX_LISTED) ?? []).find(
    (name) => facts.look(`${own}/${name}`)?.kind === "link",
  );
  if (link !== undefined) return `${own}/${link} is a link`;
  const hooks = facts.list(`${own}/hooks`, MAX_LISTED) ?? [];
  const hook = hooks.find((name) => !name.endsWith(".sample"));
  if (hook !== undefined) return `${own}/hooks has ${hook}, which git would run`;
  const config = facts.look(`${own}/config`);
  if (config === undefined) return undefined;
  const text = config.kind === "file" ? facts.text(`${own}/config`, MAX_GIT_CONFIG_BYTES) : undefined;
  if (text === undefined) return `${own}/config cannot be read`;
  const setting = findPowerfulSetting(text);
  return setting === undefined ? undefined : `${own}/config sets ${setting}`;
}

/** The first setting that is not known to be harmless; a line that is not read plainly counts as one. */
export function findPowerfulSetting(config: string): string | undefined {
  let section = "";
  for (const line of config.split("\n").map((text) => text.trim())) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const head = /^\[([\w.-]+)(?:\s+"([^"\\]*)")?\]$/.exec(line);
    if (head !== null) {
      section = `${(head[1] ?? "").toLowerCase()}${head[2] === undefined ? "" : `.${head[2]}`}`;
      continue;
    }
    const key = /^([A-Za-z][\w-]*)\s*(?:=(.*))?$/.exec(line);
    const name = `${section}.${(key?.[1] ?? line).toLowerCase()}`;
    if (key === null || line.endsWith("\\") || !HARMLESS.some((pattern) => pattern.test(name))) return name;
  }
  return undefined;
}

/** The mode of an entry that is a commit of another repository. */
const GITLINK = 0o160000;
/** Times, device, inode, mode, owner and size, the object's name, flags. */
const SHA1_ENTRY = 62;
const MODE_AT = 24;

/**
 * The paths of other repositories that an index lists. Nothing where it is not understood: a version that shortens
 * paths, an index that is shared or split, one that is cut.
 */
function readGitLinks(bytes: Uint8Array): readonly string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) return undefined;
  const [version, count] = [view.getUint32(4), view.getUint32(8)];
  if (version !== 2 && version !== 3) return undefined;
  const links: string[] = [];
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    if (at + SHA1_ENTRY > bytes.length) return undefined;
    const isExtended = (view.getUint16(at + SHA1_ENTRY - 2) & 0x4000) !== 0;
    const name = at + SHA1_ENTRY + (isExtended ? 2 : 0);
    const end = bytes.indexOf(0, name);
    if (end <= name) return undefined;
    if (view.getUint32(at + MODE_AT) === GITLINK)
      links.push(new TextDecoder().decode(bytes.subarray(name, end)));
    // Entries are filled up with one to eight zeros to a multiple of eight.
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return includesText(bytes.subarray(at), "link") ? undefined : links;
}

/** An extension of this name says that there are more entries, in another file. */
function includesText(bytes: Uint8Array, text: string): boolean {
  const codes = text.split("").map((char) => char.charCodeAt(0));
  for (let at = bytes.indexOf(codes[0] ?? 0); at !== -1; at = bytes.indexOf(codes[0] ?? 0, at + 1))
    if (codes.every((code, index) => bytes[at + index] === code)) return true;
  return false;
}
