// What runs beside untrusted code: a worker's program, in Node and in browsers alike. What does not belong
// here: anything a host imports before it starts a worker (this loads the engine).
export type { Packing } from "./cell-image.ts";
export type { GuestPlatform } from "./guest-cell.ts";
export type { SameBytes } from "./memory-delta.ts";
export { type EngineModule, type FromGuest, type GuestSpec, type Slice, type ToGuest } from "./messages.ts";
export { type GuestPort, serveCells } from "./serve-cells.ts";
