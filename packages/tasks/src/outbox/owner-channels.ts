/** Channels of sessions in which no owner reads along: a heartbeat's, tasks', and those of other programs. */
export const NOT_THE_OWNERS: ReadonlySet<string> = new Set(["heartbeat", "task", "openai", "mcp"]);
