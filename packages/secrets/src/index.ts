// Secrets taken out of what is logged, shown or sent.
export { createRedactor, createValueRedactor, REDACTED, type Redactor } from "./redactor.ts";
export type { PieceStream } from "./piece-stream.ts";
export type { SecretStream } from "./secret-stream.ts";
