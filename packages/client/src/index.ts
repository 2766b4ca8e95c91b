// A client of a running daemon: requests, streams, and tasks to follow. What does not belong here: how
// anything is shown, and the engine itself.
export { ClientError, clientErrorCodes } from "./client-error.ts";
export { createDaemonClient, type DaemonClient, findDaemon } from "./daemon-client.ts";
export type { ChatGrants, ChatHost, Conversation, OpenedConversation } from "./chat/conversation.ts";
export { readServerSentEvents } from "./server-sent-events.ts";
export type { TaskConnection, TaskFeed } from "./task-connection.ts";
