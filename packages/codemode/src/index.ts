// Code mode: what turns a typed program into checked, contained, observable tool calls.
// What does not belong here: what a tool is, and whether a call may happen.
export { CodemodeError, type CodemodeErrorCode, codemodeErrorCodes } from "./codemode-error.ts";
export { CELL_GLOBALS } from "./checker/cell-project.ts";
export {
  type DeclaredTool,
  emitDeclarations,
  type SchemaDefinitions,
} from "./declarations/emit-declarations.ts";
export { LEFT_OUT } from "./declarations/object-type.ts";
export type { DeclaredError } from "./declarations/emit-declarations.ts";
export type { ScriptDetector } from "./detector/script-detector.ts";
export type { Ambiguity, ScriptEvent, ScriptOutcome } from "./detector/script-event.ts";
export type { CellRecord, Fingerprint } from "./durable/resume-cell.ts";
export type { JsonSchema } from "./json-schema.ts";
export {
  type BridgeCall,
  type CellFailure,
  type CellFailureCode,
  cellFailureCodes,
  type CellImage,
  type CellLimits,
  type CellOutcome,
  type CellSpec,
  DEFAULT_CELL_LIMITS,
  LOG_FULL,
  type RunningCell,
  type Sandbox,
  type Settlement,
} from "./sandbox.ts";
export type { CheckSource, TypeChecker, TypeStripper } from "./type-checker.ts";
export { unwrapCell, wrapCell } from "./wrap-cell.ts";
