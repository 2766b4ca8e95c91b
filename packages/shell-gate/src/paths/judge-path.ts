import type { Argument } from "../words/argument.ts";
import type { Judgement } from "../judgement.ts";
import { isWithin, joinPath, type Resolved, type Resolver } from "./resolve-path.ts";
import type { Zones } from "./zones.ts";

/** What a command does with a path it is given. */
export type PathUse =
  | "read"
  /** The directory and all under it, links in it not followed. */
  | "read tree"
  /** Only what kind of thing it is; a link is followed where it leads to a directory. */
  | "look at"
  /** The name itself: a link is not followed. */
  | "look at name"
  | "write"
  /** The path itself, and everything under it. */
  | "remove";

const VERBS: Readonly<Record<PathUse, string>> = {
  read: "reads",
  "read tree": "reads",
  "look at": "looks at",
  "look at name": "looks at",
  write: "writes",
  remove: "removes or moves",
};

/** Devices that hold nothing of anybody. */
const HARMLESS_READS = new Set(["/dev/null", "/dev/zero", "/dev/stdin", "/dev/urandom"]);
const HARMLESS_WRITES = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const ENDLESS_READS = new Set(["/dev/zero", "/dev/urandom"]);
/** What git trusts: whoever writes there runs commands. */
const GIT_OWN = /(?:^|\/)\.git(?:\/|$)/i;

export interface PathJudge {
  /** Judges a path under every directory the command may be in. Answers where it leads, when all is well. */
  readonly use: (
    by: string,
    argument: Argument,
    use: PathUse,
    directories: readonly string[],
  ) => readonly Resolved[];
}

export function createPathJudge(deps: {
  readonly judgement: Judgement;
  readonly resolver: Resolver;
  readonly zones: Zones;
}): PathJudge {
  const { judgement, resolver, zones } = deps;
  const ask = (reason: string): undefined => {
    judgement.ask(reason);
    return undefined;
  };
  const deny = (reason: string): undefined => {
    judgement.deny(reason);
    return undefined;
  };

  const judgeOne = (by: string, shownAs: string, path: string, use: PathUse): Resolved | undefined => {
    const isWrite = use === "write" || use === "remove";
    if (!isWrite && ENDLESS_READS.has(path))
      judgement.effects.endless.push({ why: `${path} has no end`, comesIn: "bytes" });
    if ((isWrite ? HARMLESS_WRITES : HARMLESS_READS).has(path)) return { path: path, entry: undefined };
    const says = `\`${by}\` ${VERBS[use]} ${shownAs}`;
    if (/^\/+dev\/+(?:tcp|udp)\//.test(path)) return ask(`${says}, which is a network connection`);
    const keepsLast = (use === "remove" || use === "look at name") && !/\/\.?$/.test(path);
    const name = resolver.resolve(path, "keep");
    const followed = resolver.resolve(path, "follow");
    if (name === undefined || followed === undefined)
      return ask(`${says}, and it is not known where that leads`);
    const opaque = use === "look at" && name.entry?.kind === "link" && followed.entry?.kind !== "directory";
    const end = keepsLast || opaque ? name : followed;
    const shown = end.path === shownAs ? "which" : `which leads to ${end.path} and`;
    const zone = zones.of(end.path);
    if (zone === "protected") return deny(`${says}, ${shown} belongs to Deputy itself`);
    if (zone === "outside" || (isWrite && zone === "read")) {
      const where = zone === "read" ? "may only be read" : "is outside of the workspace";
      return ask(`${says}, ${shown} ${where}`);
    }
    if ((use === "read tree" || use === "remove") && zones.holdsProtected(end.path))
      return deny(`${says}, ${shown} holds what belongs to Deputy itself`);
    if (use === "remove" && zones.isRoot(end.path))
      return ask(`${says}, ${shown} is a whole permitted directory`);
    if (isWrite && GIT_OWN.test(end.path)) return ask(`${says}, ${shown} is git's own`);
    if (end.entry?.kind === "file" && end.entry.names > 1 && use !== "remove" && use !== "look at name")
      return ask(`${says}, ${shown} has other names (hard links)`);
    if (end.entry?.kind === "other" && use !== "remove" && use !== "look at" && use !== "look at name")
      return ask(`${says}, ${shown} is no ordinary file`);
    const how = isWrite ? "write" : "read";
    judgement.effects.touched.push({ path: end.path, by, at: judgement.effects.commands, how });
    if (isWrite) judgement.effects.written.push(end.path);
    return end;
  };

  return {
    use(by, argument, use, directories) {
      if (argument.kind === "pipe") return [];
      if (argument.kind === "unknown") {
        judgement.ask(`\`${by}\` ${VERBS[use]} a path that is not known before it runs: ${argument.why}`);
        return [];
      }
      if (argument.kind === "found") {
        if (use === "write" || use === "remove")
          judgement.ask(`\`${by}\` ${VERBS[use]} every file that is found`);
        return [];
      }
      const { text } = argument;
      if (text === "") return [];
      return directories.flatMap(
        (directory) => judgeOne(by, text, normalize(joinPath(directory, text)), use) ?? [],
      );
    },
  };
}

/** Without doubled slashes and dots; `..` stays, as it depends on links. */
function normalize(path: string): string {
  return path.replaceAll(/\/(?:\.?\/)+/g, "/").replace(/(?<=\/)\.$/, "");
}

/** Findings that need the whole line: what one part changes, another must not rely on. */
export function judgeTogether(judgement: Judgement): void {
  const { touched, written, reshaped, globs, gitRuns, endless } = judgement.effects;
  const [source] = endless;
  if (source !== undefined && written.length > 0) judgement.ask(`a file may grow without end: ${source.why}`);
  for (const change of reshaped) {
    const later = touched.find(({ path, at }) => at !== change.at && isWithin(path, change.path));
    if (later !== undefined)
      judgement.ask(
        `\`${later.by}\` uses ${later.path}, which \`${change.by}\` of the same line may turn into a link`,
      );
  }
  if (globs > 0 && reshaped.length > 0)
    judgement.ask("a pattern is expanded beside a command that makes or moves links");
  if (globs > 0 && written.some((path) => /\/-[^/]*$/.test(path)))
    judgement.ask("a pattern is expanded beside a command that makes a file whose name looks like an option");
  if (gitRuns > 0 && (reshaped.length > 0 || written.some((path) => GIT_FILES.test(path))))
    judgement.ask("`git` runs beside a command that makes files git would trust");
}

const GIT_FILES = /\/(?:HEAD|config|objects|refs|commondir|gitdir|hooks|\.gitmodules)(?:\/|$)/i;
