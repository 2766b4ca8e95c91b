// Tasks and approvals in a terminal: following them, showing what happens, asking.
// What does not belong here: the chat (see ./chat and ./screen), and commands.
export { createApprover } from "./approver.ts";
export { followTask, type ShowEvent } from "./follow-task.ts";
export { followUntilStopped } from "./follow-until-stopped.ts";
export { indent } from "./show/indent.ts";
export { showApproval } from "./show/show-approval.ts";
export { showDiagnostics } from "./show/show-diagnostics.ts";
export { showProgramEnd, showProgramEvent } from "./show/show-program.ts";
export { showReplay, showReplaySummary } from "./show/show-replay.ts";
export { showTaskEvent } from "./show/show-task-event.ts";
export { showTranscriptLine } from "./show/show-transcript-line.ts";
