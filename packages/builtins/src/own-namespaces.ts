/** Namespaces of Deputy's own tools: what a document or a server of others names does not take their place. */
export const OWN_NAMESPACES: ReadonlySet<string> = new Set([
  "bash",
  "browser",
  "cron",
  "deputy",
  "exec",
  "files",
  "memory",
  "process",
  "sessions",
  "skill",
  "slash_command",
  "tasks",
  "todo",
  "web",
  "workspace",
]);
