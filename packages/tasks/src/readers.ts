// What commands and routes read of the log: tasks, deliveries, notifications.
export { createInboxReader } from "./inbox/inbox-reader.ts";
export { type LastDelivery, openLastDeliveries } from "./inbox/last-deliveries.ts";
export { createNoticesReader } from "./outbox/notices-reader.ts";
export { readStory } from "./task-story.ts";
export { createTasksReader } from "./tasks-reader.ts";
