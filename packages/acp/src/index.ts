// Deputy as an agent of code editors, over the Agent Client Protocol.
// What does not belong here: which conversations there are (a `ChatHost` brings them).
export { createAcpAgent } from "./acp-agent.ts";
export { ACP_CHANNEL } from "./folder-key.ts";
export { openStdioStream } from "./stdio-stream.ts";
