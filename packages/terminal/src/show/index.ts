// What some commands print: questions, programs, replays, transcripts.
export { indent } from "./styles.ts";
export { showApproval, showCardLines } from "./show-approval.ts";
export { showDiagnostics } from "./show-diagnostics.ts";
export { showProgramEnd, showProgramEvent } from "./show-program.ts";
export { showReplay, showReplaySummary } from "./show-replay.ts";
export { showTranscriptLine } from "./show-transcript-line.ts";
