// Sessions by key: find, list, search, fork. These are exported separately because turns do not need them.
export { copyOf } from "./event-copy.ts";
export { untrustedIn } from "../history/describe-cell.ts";
export type { SearchHit } from "./search-sessions.ts";
export { createSessionIndex, type SessionEntry, type SessionIndex } from "./session-index.ts";
export { IMPORTED_CHANNEL, sessionKeyOf, type SessionOrigin } from "./session-key.ts";
export { createSessionReader, type SessionReader, type SessionSummary } from "./session-reader.ts";
export {
  createLogSessionService,
  readKnown,
  type SessionChange,
  type SessionRequest,
  type SessionService,
} from "./session-service.ts";
export type { TranscriptLine } from "./transcript.ts";
