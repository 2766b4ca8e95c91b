// Tasks and approvals in a terminal: following them, showing what happens, asking.
// What does not belong here: the chat (see ./chat and ./screen), and commands.
export { createApprover } from "./approver.ts";
export { followTask, type ShowEvent } from "./follow-until-stopped.ts";
export { followUntilStopped } from "./follow-until-stopped.ts";
export { showTaskEvent } from "./show/show-task-event.ts";
