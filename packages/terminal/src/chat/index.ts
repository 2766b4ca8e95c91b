// A chat in a terminal, line by line or from a pipe. The one that is drawn is in ../screen.
export { chatInPipe } from "./chat-in-pipe.ts";
export { chatOnLines } from "./chat-on-lines.ts";
export type { ChatSetting } from "./chat-setting.ts";
export { createChatTranscript } from "./chat-transcript.ts";
export { createSpendMeter } from "./spend-meter.ts";
