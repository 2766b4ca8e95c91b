import { MAX_GIT_CONFIG_BYTES, MAX_LISTED } from "../limits.ts";
import type { PathFacts } from "../path-facts.ts";

/** Settings of a repository that run nothing and lead nowhere. Every other one may. */
const HARMLESS = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|quotepath|abbrev)$/,
  /^remote\.[^\n]*\.(?:url|fetch|pushurl|tagopt)$/,
  /^branch\.[^\n]*\.(?:remote|merge|rebase)$/,
  /^(?:user\.(?:name|email)|init\.defaultbranch|pull\.rebase|push\.default|color\.ui|commit\.gpgsign)$/,
];

/**
 * Why running git in a directory may run or read something else: settings, hooks, or a repository that is not the
 * workspace's own. Nothing where there is no repository at all.
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
      return isOurs(own)
        ? findRepositoryRisk(own, facts)
        : `its repository is ${own}, which is outside of the workspace`;
    }
    if (["HEAD", "objects", "refs"].every((name) => facts.look(`${at}/${name}`) !== undefined))
      return `${at} looks like a bare repository`;
    if (at === "") return undefined;
  }
}

function findRepositoryRisk(own: string, facts: PathFacts): string | undefined {
  const redirect = ["commondir", "objects/info/alternates", "modules", "config.worktree"].find(
    (name) => facts.look(`${own}/${name}`) !== undefined,
  );
  if (redirect !== undefined) return `${own}/${redirect} leads to more repositories`;
  const hooks = facts.list(`${own}/hooks`, MAX_LISTED) ?? [];
  const hook = hooks.find((name) => !name.endsWith(".sample"));
  if (hook !== undefined || facts.look(`${own}/hooks`)?.kind === "link")
    return `${own}/hooks has ${hook ?? "a link"}, which git would run`;
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
