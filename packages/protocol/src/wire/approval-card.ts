import { z } from "zod";
import { scopeSchema } from "../events/call-events.ts";
import { idSchema } from "../events/shared.ts";

/**
 * A question as every client shows it; see `projectCard`. All text in it is ready to be shown: nothing in it is
 * invisible, long runs of blanks are counted, and of long values the middle is left out, which they say.
 */
const cardPartSchema = z.object({
  /** `value`: an argument. `words`: the tool's own. `diff`: a change to a file. `contents`: a file that would run. */
  kind: z.enum(["value", "words", "diff", "contents"]),
  /** The argument's place in the input, or the file's path; absent for the tool's own words. */
  name: z.string().optional(),
  /** One line or several. */
  text: z.string(),
  /** What the id stands for, as a tool has shown before: its title and the tool. */
  row: z.object({ text: z.string(), source: z.string() }).optional(),
  /** Characters left out of the middle of `text`. */
  left: z.int().optional(),
  /** All of it, where `text` leaves something out. */
  whole: z.string().optional(),
});
export type CardPart = z.infer<typeof cardPartSchema>;

const cardCallSchema = z.object({
  /** Its place in the plan, from 1, by which an answer can name it. */
  number: z.int().min(1),
  /** Present in a plan. */
  callId: idSchema("call").optional(),
  /** One line: the tool's words for it, or the values that tell it from the others of its group. */
  title: z.string(),
  /** Every value that the title does not have and the group does not share, and the files. */
  parts: z.array(cardPartSchema),
});
export type CardCall = z.infer<typeof cardCallSchema>;

const cardGroupSchema = z.object({
  toolPath: z.string(),
  count: z.int().min(1),
  /** Why it stands where it stands; `differs`: other calls of the same tool are otherwise. */
  mark: z.enum(["destroys", "sends", "differs"]).optional(),
  /** The arguments whose values the titles of the calls show without naming them, the id first. */
  listed: z.array(z.string()).optional(),
  /** What all calls of the group have in common. */
  same: z.array(cardPartSchema),
  calls: z.array(cardCallSchema),
  /** Calls that need not be unfolded: `text` has every value by which they differ from those above. */
  folded: z.object({ text: z.string(), calls: z.array(cardCallSchema) }).optional(),
});
export type CardGroup = z.infer<typeof cardGroupSchema>;

export const approvalCardSchema = z.object({
  /** What would happen. One line. */
  title: z.string(),
  /** What the user asked for, in their words: one line, cut if it is long. */
  prompt: z.string().optional(),
  /** What destroys, sends or differs comes first. */
  groups: z.array(cardGroupSchema),
  /** Why it is asked, in short sentences, each kind of reason once. */
  why: z.array(z.string()),
  /** How many further calls will ask later, because their input depends on results. */
  later: z.int().optional(),
  /** How far an approval can reach, from the narrowest on. Absent: no further than this question. */
  scopes: z.array(scopeSchema).optional(),
  /** True if an approval for this conversation is for the very same again, and other calls of the tool still ask. */
  sameOnly: z.boolean().optional(),
  /** Tools that a yes allows for this conversation, because the rules say that they ask once. */
  askOnce: z.array(z.string()).optional(),
  /** How far it reaches unless the answer says otherwise; absent: the narrowest. */
  scope: scopeSchema.optional(),
});
export type ApprovalCard = z.infer<typeof approvalCardSchema>;
