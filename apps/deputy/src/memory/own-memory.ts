import type { OwnMemory, Proposal } from "@deputy/builtins";
import { readMessage } from "@deputy/policy/pasted-text";
import { parseSkill } from "@deputy/agent/skill";
import { parseId } from "@deputy/kit";
import { hasOnlyWordsOf, isQuoteOf, markLine, MemoryError } from "@deputy/memory";
import { type EventLog, type ForgetWish, readEvent } from "@deputy/protocol";
import { ToolsError } from "@deputy/tools";
import { describeForget, type MemoryDoor } from "./describe-memory.ts";
import type { HomeMemory } from "./home-memory.ts";

/** The memory as agents' tools use it. `agentOf`: whose session it is. */
export function createOwnMemory(deps: {
  readonly memory: Pick<HomeMemory, "files" | "notes" | "forgetting">;
  readonly door: Pick<MemoryDoor, "search">;
  readonly log: Pick<EventLog, "read">;
  readonly agentOf: (session: string) => Promise<string>;
}): OwnMemory {
  const { notes, files, forgetting } = deps.memory;
  const refused = (message: string): ToolsError => new ToolsError("request_invalid", message, { quotes: [] });
  /** What Deputy says about a note is its own words. */
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof MemoryError && error.code === "note_refused") throw refused(error.message);
      throw error;
    }
  };

  const draft = async ({ file, text, replaces }: Proposal, session: string, toldBy: readonly string[]) => {
    const path = file.startsWith(".") ? file : `${await deps.agentOf(session)}/${file}`;
    const before = await told(files.read(path));
    const isSkill = file.endsWith("/SKILL.md");
    const added = isSkill ? markSkill(text, toldBy) : markLines(text, toldBy);
    const after = replaces === undefined ? addTo(before, added, isSkill) : replaceIn(before, replaces, added);
    if (after === undefined)
      throw refused(
        before !== null && replaces === undefined
          ? "There is such a skill already: say with `replaces` what to change in it"
          : "`replaces` must be whole lines of the file, word for word, which it has once",
      );
    const skill = isSkill ? parseSkill(file.split("/").at(-2) ?? "", after) : undefined;
    if (skill?.kind === "bad") throw refused(`The result would not be a valid skill: ${skill.why}`);
    return { path, before, after, isAddition: replaces === undefined };
  };

  return {
    async search({ session, query, maxResults }, signal) {
      const agent = await deps.agentOf(session);
      const { hits, by, note } = await deps.door.search({ query, agent, limit: maxResults }, signal);
      const found = hits.map(({ why: _why, foreign: _foreign, ...hit }) => hit);
      return { hits: found, by, ...(note !== undefined && { note }) };
    },
    async remember(fact, { session, call, toldBy }, signal) {
      const agentId = await deps.agentOf(session);
      const by = { changeId: call, agentId, by: `agent ${agentId}`, ...inSession(session), toldBy };
      return await told(notes.remember(fact, by, signal));
    },
    draft: (proposal, { session, toldBy }) => draft(proposal, session, toldBy),
    async write(proposal, { session, call, toldBy }, signal) {
      const { path, before, after } = await draft(proposal, session, toldBy);
      const agentId = await deps.agentOf(session);
      const by = { changeId: call, agentId, by: `agent ${agentId}`, ...inSession(session), toldBy };
      await told(notes.write({ path, before, after }, by, signal));
      return { path };
    },
    async isSaid(session, text, how) {
      const said = await wordsOfUser(deps.log, session);
      return how === "words" ? hasOnlyWordsOf(text, said) : isQuoteOf(text, said);
    },
    async previewForget(wish, session, signal) {
      const request = { wish: given(wish), agentId: await deps.agentOf(session), by: "preview" };
      return describeForget(await forgetting.preview(request, signal), "would").join("\n");
    },
    async forget(wish, { session, call }, signal) {
      const agentId = await deps.agentOf(session);
      const request = { wish: given(wish), agentId, by: `agent ${agentId}`, forgetId: call };
      return describeForget(await told(forgetting.forget(request, signal)), "did").join("\n");
    },
  };
}

function given(wish: ForgetWish): ForgetWish {
  return Object.fromEntries(Object.entries(wish).filter(([, one]) => one !== undefined));
}

function inSession(session: string): { readonly session?: string } {
  return parseId("session", session) === undefined ? {} : { session };
}

/** Every line keeps the names of those whose words it may be. */
function markLines(text: string, toldBy: readonly string[]): string {
  if (toldBy.length === 0) return text.replace(/\n*$/, "\n");
  const lines = text.replace(/\n*$/, "").split("\n");
  return `${lines.map((line) => (line.trim() === "" ? "" : markLine(line, toldBy))).join("\n")}\n`;
}

/** A skill is one text: the line behind its head says whose words it may be. */
function markSkill(text: string, toldBy: readonly string[]): string {
  const whole = text.replaceAll("<!-- told by: ", "<!-- ").replace(/\n*$/, "\n");
  if (toldBy.length === 0) return whole;
  const mark = `${markLine("", toldBy).trim()}\n`;
  const head = /^---\n[^]*?\n---\n/.exec(whole)?.[0] ?? "";
  return `${head}${mark}${whole.slice(head.length)}`;
}

/** A new skill is a file of its own. Undefined if there is one already. */
function addTo(before: string | null, added: string, isSkill: boolean): string | undefined {
  if (before === null || before === "") return added;
  if (isSkill) return undefined;
  return `${before.replace(/\n*$/, "\n")}${added}`;
}

/** Undefined if the lines are not there, or more than once. */
function replaceIn(before: string | null, old: string, added: string): string | undefined {
  const wanted = `\n${old.replace(/^\n+|\n+$/g, "")}\n`;
  const text = `\n${(before ?? "").replace(/\n*$/, "\n")}`;
  const at = text.indexOf(wanted);
  if (at === -1 || text.includes(wanted, at + 1)) return undefined;
  return `${text.slice(1, at + 1)}${added}${text.slice(at + wanted.length)}`;
}

/** What the user said in a session, and the programs that they wrote themselves. */
async function wordsOfUser(log: Pick<EventLog, "read">, session: string): Promise<readonly string[]> {
  const stream = parseId("session", session);
  const said: string[] = [];
  if (stream === undefined) return said;
  for await (const stored of log.read(stream)) {
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { type, data } = read.event;
    // Text from a file counts as nobody's word here.
    if (type === "session.imported") said.length = 0;
    if (type === "user.message" && data.trust === "user")
      for (const { text, isPasted } of readMessage(data.text.slice(data.said?.start ?? 0, data.said?.end)))
        if (!isPasted) said.push(text);
    if (type === "cell.submitted" && data.providerCallId === undefined && data.writtenBy !== "model")
      said.push(data.code);
  }
  return said;
}
