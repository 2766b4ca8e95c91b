// Secrets taken out of what is logged, shown or sent. Apart from the rest: whoever shows something needs it.
export { createRedactor, createValueRedactor, REDACTED, type Redactor } from "../redactor.ts";
export type { PieceStream } from "./piece-stream.ts";
export type { SecretStream } from "./secret-stream.ts";
