// What every command writes to and reads from.
export { type ApproveMode, approveModes } from "./approve-modes.ts";
export { EXIT, type ExitCode } from "./exit-code.ts";
export { flush } from "./flush.ts";
export { guardOutput } from "./guard-output.ts";
export { createLineReader, type LineReader } from "./line-reader.ts";
export { createOutput, type Output } from "./output.ts";
