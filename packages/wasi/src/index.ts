// Programs in WebAssembly over files in memory. What is run, and who may run it, does not belong here.
export { COMMANDS_MODULE } from "./host/command-calls.ts";
export type { ByteSink, ByteSource, Taken } from "./host/byte-stream.ts";
export { FILES_MODULE } from "./host/mode-calls.ts";
export type { Preopen, Stdio } from "./host/descriptor.ts";
export type { CommandCall, WasiClock } from "./host/host-context.ts";
export {
  defaultModuleRules,
  type ModuleRules,
  type PreparedModule,
  prepareModule,
} from "./module/prepare-module.ts";
export {
  defaultProgramLimits,
  type ProgramLimits,
  type ProgramOutcome,
  type ProgramRun,
  runProgram,
} from "./run/run-program.ts";
export { createSystemWasiClock } from "./run/system-clock.ts";
export { WasiError, type WasiErrorCode, wasiErrorCodes } from "./wasi-error.ts";
