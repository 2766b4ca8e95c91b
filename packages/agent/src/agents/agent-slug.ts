/** Stands where an agent's slug would in the tasks of the user's own programs. */
const RESERVED = "exec";
const SLUG = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const SLUG_RULE = "lower-case letters, digits and single hyphens, at most 64, and not “exec”";

/** True for what can name an agent, and its folder. */
export function isAgentSlug(text: string): boolean {
  return SLUG.test(text) && text !== RESERVED;
}
