/** Beyond any of these the gate asks, so that a verdict takes bounded time. */
export const MAX_COMMAND_CHARS = 16_384;
/** Simple commands that are judged, with each turn of a `for` counted. */
export const MAX_COMMANDS = 300;
/** `sh -c` in `sh -c`, substitutions in substitutions. */
export const MAX_DEPTH = 12;
/** Names that braces and globs of one word become. */
export const MAX_FIELDS = 256;
/** Questions to the file system. */
export const MAX_LOOKUPS = 20_000;
export const MAX_LISTED = 2_000;
export const MAX_LINKS = 40;
export const MAX_DIRECTORIES = 8;
/** What a command may make of nothing, in one file. */
export const MAX_MADE_BYTES = 256 * 1_024 * 1_024;
export const MAX_MADE_LINES = 10_000_000;
export const MAX_REASONS = 8;
export const MAX_GIT_CONFIG_BYTES = 65_536;
export const MAX_GIT_INDEX_BYTES = 16 * 1_024 * 1_024;
