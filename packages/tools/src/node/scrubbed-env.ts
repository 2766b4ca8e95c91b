/** The variables of Deputy's environment that a command gets: no keys, no tokens, no sockets. */
const PASSED: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
]);

export function scrubbedEnv(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (PASSED.has(name) || /^LC_[A-Z]+$/.test(name))) passed[name] = value;
  // No pagers, no colours, no questions: no person sits at this terminal.
  return {
    ...passed,
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    NO_COLOR: "1",
    DEPUTY: "1",
  };
}
