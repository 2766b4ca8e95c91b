import type { FileChange } from "@deputy/kit";
import type { ForgetWish } from "@deputy/protocol";
import { z } from "zod";
import { type CallPlace, type CallTerms, defineTool, type ToolTree, ToolsError } from "@deputy/tools";

/** What agents find in their memory, and how they add to it. All reject as the memory does. */
export interface OwnMemory {
  /** For the agent of this session; `maxResults` by default as the settings say. */
  search(
    request: { readonly session: string; readonly query: string; readonly maxResults: number | undefined },
    signal: AbortSignal,
  ): Promise<MemoryFindings>;
  /** Adds a fact to the notes of today. */
  remember(
    fact: { readonly text: string; readonly supersedes?: string | undefined },
    by: NotedBy,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly superseded: boolean }>;
  /** A proposal as the file would be. Rejects with `request_invalid`. */
  draft(
    proposal: Proposal,
    by: Pick<NotedBy, "session" | "toldBy">,
  ): Promise<FileChange & { readonly isAddition: boolean }>;
  /** Makes it real. */
  write(proposal: Proposal, by: NotedBy, signal: AbortSignal): Promise<{ readonly path: string }>;
  /** Did the user say this in the session: all its `words`, or the text as it is, a `quote`? */
  isSaid(session: string, text: string, how: "words" | "quote"): Promise<boolean>;
  /** What forgetting would remove, in words. */
  previewForget(wish: ForgetWish, session: string, signal: AbortSignal): Promise<string>;
  forget(wish: ForgetWish, by: Pick<NotedBy, "session" | "call">, signal: AbortSignal): Promise<string>;
}

/** The call that adds a note. */
export interface NotedBy {
  readonly session: string;
  readonly call: string;
  /** Who wrote the words, besides the user. */
  readonly toldBy: readonly string[];
}

/** A change of a file that is in every prompt, or of a skill. */
export interface Proposal {
  readonly file: string;
  readonly text: string;
  /** Lines of the file that it takes the place of; absent: it is added at the end. */
  readonly replaces?: string | undefined;
}

const hitSchema = z.object({
  source: z.enum(["memory", "notes", "daily", "extra", "session"]),
  path: z.string().describe("The file, or the session's id"),
  lines: z.string().describe("Which lines of it: 3-17"),
  about: z.string().describe("Its headings and date"),
  text: z.string(),
  score: z.number(),
});

const findingsSchema = z.object({
  hits: z.array(hitSchema),
  by: z.enum(["words and meaning", "words"]),
  note: z.string().optional().describe("What is missing, if something is"),
});
export type MemoryFindings = z.output<typeof findingsSchema>;

const FILES = /^(?:USER|MEMORY|HEARTBEAT)\.md$|^(?:\.claude\/)?skills\/[^/\\]{1,64}\/SKILL\.md$/;
const when = z.iso.datetime({ offset: true }).optional();

/** Nothing is asked, and no value of the call says who is affected. */
const UNASKED: Partial<CallTerms> = { approval: "auto", critical: [] };

/**
 * `tools.memory`: what is remembered beyond a session. To a program it is somebody else's text, whoever wrote it. Facts
 * are noted without asking, unless others' text was read that they could be from. What is in every prompt changes without
 * asking only by the user's own words, and never after others' text was read.
 */
export function memoryTools(memory: () => OwnMemory): ToolTree {
  const isUnaskedFact = async (
    { text, supersedes }: { readonly text: string; readonly supersedes?: string | undefined },
    { session, untrusted }: CallPlace,
  ): Promise<boolean> => {
    if (session === undefined || untrusted === undefined) return false;
    if (untrusted.length === 0) return true;
    // The user's own sentence strikes out nothing by itself: which fact goes may be somebody else's choice.
    return supersedes === undefined && (await memory().isSaid(session, text, "quote"));
  };
  const isUnaskedChange = async (proposal: Proposal, { session, untrusted }: CallPlace): Promise<boolean> => {
    if (session === undefined || untrusted === undefined || untrusted.length > 0) return false;
    const { isAddition } = await memory().draft(proposal, { session, toldBy: [] });
    return isAddition && (await memory().isSaid(session, proposal.text, "words"));
  };
  /** Calls that ran side by side may have read something since the terms were found. */
  const assertUnasked = async (approvedBy: "user" | "terms", isUnasked: Promise<boolean>): Promise<void> => {
    if (await isUnasked.catch(() => false)) return;
    if (approvedBy === "terms")
      throw new ToolsError("request_invalid", "Others' text was read meanwhile: call it again", {
        quotes: [],
      });
  };
  const placeOf = (context: { readonly session?: string; readonly sessionKey: string }): string =>
    context.session ?? context.sessionKey;

  return {
    search: defineTool({
      description:
        "Finds what is known about the user and what was noted or talked about before, by meaning and by words",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({
        query: z.string().min(1).max(2_000),
        maxResults: z.int().min(1).max(100).optional(),
      }),
      returns: findingsSchema,
      source: () => "the memory",
      run: ({ query, maxResults }, context) =>
        memory().search({ session: placeOf(context), query, maxResults }, context.signal),
    }),
    remember: defineTool({
      description: "Notes a fact for later conversations, one or two sentences that can stand alone",
      approval: "required",
      effect: "write",
      isLocal: true,
      idempotent: true,
      grantable: "input",
      critical: [],
      throws: ["note_refused"],
      args: z.object({
        text: z.string().trim().min(1).max(2_000),
        supersedes: z
          .string()
          .min(1)
          .max(2_000)
          .optional()
          .describe("A fact that was noted before and is no longer true, word for word"),
      }),
      returns: z.object({ path: z.string(), superseded: z.boolean() }),
      trust: "trusted",
      terms: async (fact, place) => ((await isUnaskedFact(fact, place)) ? UNASKED : undefined),
      run: async (fact, context) => {
        const { untrusted = [UNKNOWN], approvedBy, idempotencyKey: call, signal } = context;
        const session = placeOf(context);
        await assertUnasked(approvedBy, isUnaskedFact(fact, context));
        const isQuote = untrusted.length > 0 && (await memory().isSaid(session, fact.text, "quote"));
        const by = { session, call, toldBy: isQuote ? [] : untrusted };
        return await memory().remember(fact, by, signal);
      },
      formatApproval: ({ text, supersedes }, { untrusted = [] }) => ({
        title: "Remember a fact",
        details: [
          text,
          ...(supersedes === undefined ? [] : [`In place of: ${supersedes}`]),
          ...(untrusted.length === 0 ? [] : [toldNote(untrusted)]),
        ].join("\n\n"),
      }),
    }),
    propose: defineTool({
      description:
        "Adds lines to USER.md (who the user is), MEMORY.md (what every conversation must know), HEARTBEAT.md (what to look after) or a skill (skills/NAME/SKILL.md); the user sees the change",
      approval: "required",
      effect: "write",
      isLocal: true,
      idempotent: true,
      grantable: "input",
      critical: [],
      throws: ["note_refused"],
      args: z.object({
        file: z
          .string()
          .regex(
            FILES,
            "must be USER.md, MEMORY.md, HEARTBEAT.md, skills/NAME/SKILL.md or .claude/skills/NAME/SKILL.md",
          ),
        text: z.string().min(1).max(20_000),
        replaces: z
          .string()
          .min(1)
          .max(20_000)
          .optional()
          .describe("Whole lines of the file that the text takes the place of"),
      }),
      returns: z.object({ path: z.string() }),
      trust: "trusted",
      terms: async (proposal, place) => ((await isUnaskedChange(proposal, place)) ? UNASKED : undefined),
      circumstances: async (proposal, { session = "" }) =>
        (await memory().draft(proposal, { session, toldBy: [] })).before ?? "",
      run: async (proposal, context) => {
        const { untrusted = [UNKNOWN], approvedBy, idempotencyKey: call, signal } = context;
        await assertUnasked(approvedBy, isUnaskedChange(proposal, context));
        return await memory().write(proposal, { session: placeOf(context), call, toldBy: untrusted }, signal);
      },
      formatApproval: async (proposal, { session = "", untrusted = [] }) => {
        const { path, before, after } = await memory().draft(proposal, { session, toldBy: untrusted });
        return {
          title: `${before === null ? "Create" : "Change"} ${proposal.file}`,
          details: [
            "It is part of what the agent is told from now on.",
            ...(untrusted.length === 0 ? [] : [toldNote(untrusted)]),
          ].join("\n\n"),
          changes: [{ path, before, after }],
        };
      },
    }),
    forget: defineTool({
      description:
        "Removes notes and what was said, for good: what contains a text, names a person, comes from a source, or is of a time; what is given must all hold",
      approval: "required",
      effect: "destructive",
      idempotent: true,
      grantable: "input",
      throws: ["note_refused"],
      args: z
        .object({
          text: z.string().min(2).max(2_000).optional(),
          person: z.string().min(2).max(200).optional(),
          source: z.string().min(1).max(1_000).optional().describe("A path or session, as search names it"),
          since: when,
          until: when,
        })
        .refine((wish) => Object.values(wish).some((one) => one !== undefined), "says nothing to forget"),
      returns: z.object({ done: z.string() }),
      run: async (wish, context) => ({
        done: await memory().forget(
          wish,
          { session: placeOf(context), call: context.idempotencyKey },
          context.signal,
        ),
      }),
      formatApproval: async (wish, { session = "" }) => ({
        title: "Forget for good",
        details: await memory().previewForget(wish, session, new AbortController().signal),
      }),
    }),
  };
}

/** Where it is not known what was read, it counts as somebody's. */
const UNKNOWN = "unknown";

function toldNote(untrusted: readonly string[]): string {
  return `The conversation has read text of others (${untrusted.join(", ")}). The note keeps their names, and nothing in it counts as your word.`;
}
