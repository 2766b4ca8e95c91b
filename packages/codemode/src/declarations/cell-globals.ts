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
interface ToolError<Status = number | undefined, Body = unknown> extends Error {
  readonly code: string;
  /** The HTTP status, where a server refused. */
  readonly status: Status;
  /** What the server answered instead of a result, as data; undefined where that was nothing, or too much. */
  readonly body: Body | undefined;
}
type ClientErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451;
type ServerErrorStatus = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
type HttpErrorStatus = 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308 | ClientErrorStatus | ServerErrorStatus;
`;
