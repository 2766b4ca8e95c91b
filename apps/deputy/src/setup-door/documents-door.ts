import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { SetupDoor } from "@deputy/gateway";
import { makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { changeFile } from "../config/config-file.ts";
import { hashText } from "../config/read-current.ts";
import { describeFileFailure } from "../file-failure.ts";
import type { SetupDeps } from "./setup-deps.ts";

type Documents = Awaited<ReturnType<SetupDoor["documents.list"]>>["documents"];

/** What each of an agent's files is for. */
const AGENT_FILES: Readonly<Record<string, string>> = {
  "AGENTS.md": "How it works: rules, habits, what to do and what not",
  "SOUL.md": "Who it is: its tone and character",
  "USER.md": "What it knows about you",
  "TOOLS.md": "What it should know about your tools",
  "MEMORY.md": "What it remembers",
  "HEARTBEAT.md": "What it checks now and then, unasked",
};
const SKILL_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const MOST_BYTES = 1_000_000;
const MOST_SKILLS = 500;

interface Place {
  readonly file: string;
  /** Nothing outside of it is read or written. */
  readonly within: string;
}

/** The agents' Markdown and skills, and no other file: what a client names is looked up, never joined to a path. */
export function createDocumentsDoor(
  deps: Pick<SetupDeps, "home" | "agents">,
): Pick<SetupDoor, "documents.list" | "documents.read" | "documents.write" | "documents.remove"> {
  const { home } = deps;
  const agentsDirectory = resolve(home.directory, home.config.agents.workspacePath);
  const shared = join(home.directory, "skills");

  const locate = async (id: string, signal: AbortSignal): Promise<Place> => {
    const unknown = new AppError("not_found", `There is no such document: ${makeVisible(id)}`);
    const parts = id.split("/");
    const [first, second = "", third = "", fourth = "", fifth] = parts;
    if (first === "skills" && parts.length === 3 && SKILL_NAME.test(second) && third === "SKILL.md")
      return { file: join(shared, second, third), within: join(shared, second) };
    if (first !== "agents") throw unknown;
    const { slugs } = await deps.agents.list(signal);
    if (!slugs.includes(second)) throw unknown;
    const folder = join(agentsDirectory, second);
    if (parts.length === 3 && Object.hasOwn(AGENT_FILES, third))
      return { file: join(folder, third), within: folder };
    if (parts.length === 5 && third === "skills" && SKILL_NAME.test(fourth) && fifth === "SKILL.md")
      return { file: join(folder, third, fourth, fifth), within: join(folder, third, fourth) };
    throw unknown;
  };

  return {
    "documents.list": async (_params, { signal }) => {
      const { slugs } = await deps.agents.list(signal);
      const ofAgents = [...new Set(slugs)].flatMap((agent) =>
        documentsOf(agent, join(agentsDirectory, agent)),
      );
      return { documents: [...ofAgents, ...skillsIn(shared, "skills")] };
    },
    "documents.read": async ({ id }, { signal }) => {
      const text = readPlace(await locate(id, signal));
      return { id, text: text ?? "", hash: text === undefined ? null : hashText(text) };
    },
    "documents.write": async ({ id, text, baseHash }, { signal }) => {
      const place = await locate(id, signal);
      assertUnchanged(readPlace(place), baseHash);
      mkdirSync(dirname(place.file), { recursive: true, mode: 0o700 });
      changeFile(place.file, (now) => {
        assertUnchanged(now, baseHash);
        return text;
      });
      return { hash: hashText(text) };
    },
    "documents.remove": async ({ id, baseHash }, { signal }) => {
      const place = await locate(id, signal);
      assertUnchanged(readPlace(place), baseHash);
      rmSync(place.file);
      return { ok: true };
    },
  };
}

function documentsOf(agent: string, folder: string): Documents {
  const files = Object.entries(AGENT_FILES).map(([name, about]) => ({
    id: `agents/${agent}/${name}`,
    agent,
    kind: "agent" as const,
    name,
    about,
    isThere: existsSync(join(folder, name)),
  }));
  return [...files, ...skillsIn(join(folder, "skills"), `agents/${agent}/skills`, agent)];
}

function skillsIn(folder: string, id: string, agent?: string): Documents {
  let names: readonly string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch {
    return [];
  }
  const shown = (name: string): Documents[number] => ({
    id: `${id}/${name}/SKILL.md`,
    ...(agent !== undefined && { agent }),
    kind: "skill",
    name,
    about: agent === undefined ? "A skill of all agents" : `A skill of ${agent}`,
    isThere: true,
  });
  return names
    .filter((name) => SKILL_NAME.test(name) && existsSync(join(folder, name, "SKILL.md")))
    .slice(0, MOST_SKILLS)
    .map(shown);
}

/** Undefined when there is no such file. Throws `file_unreadable`, also for a link that leads elsewhere. */
function readPlace({ file, within }: Place): string | undefined {
  const unreadable = (why: string): AppError =>
    new AppError("file_unreadable", `${file} cannot be used: ${why}`, { hint: "Nothing was changed." });
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    const real = realpathSync(file);
    if (!real.startsWith(realpathSync(within) + sep)) throw unreadable("a link leads out of the folder");
    const stat = statSync(real);
    if (!stat.isFile()) throw unreadable("it is not a file");
    if (stat.size > MOST_BYTES) throw unreadable("it is larger than 1 MB");
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(real));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (cause instanceof TypeError) throw unreadable("it is not text");
    throw unreadable(describeFileFailure(cause));
  }
}

function assertUnchanged(text: string | undefined, baseHash: string | null): void {
  if ((text === undefined ? null : hashText(text)) === baseHash) return;
  throw new AppError("changed_meanwhile", "The file was changed meanwhile", {
    hint: "Nothing was written. Look at what it says now, then save again.",
  });
}
