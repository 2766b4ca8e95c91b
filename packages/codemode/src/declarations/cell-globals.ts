/**
 * What a cell has besides `tools` and the language itself, as declarations for the checker. The sandbox
 * provides exactly this; there is no clock to wait on, no network, no module.
 */
export const CELL_GLOBALS = `/** Lines end up in the cell's log. */
declare const console: {
  log(...values: readonly unknown[]): void;
  info(...values: readonly unknown[]): void;
  warn(...values: readonly unknown[]): void;
  error(...values: readonly unknown[]): void;
  debug(...values: readonly unknown[]): void;
};
/** What a failed call throws; \`code\` is \`denied\` when the user said no. */
interface ToolError extends Error {
  readonly code: string;
}
`;
