// Conversations in chat apps: what an app has to offer, and what Deputy does with it. No app itself belongs here.
export { ChannelsError, type ChannelsErrorCode, channelsErrorCodes } from "./channels-error.ts";
export type {
  Abilities,
  Button,
  ChatApp,
  Heard,
  HeardFile,
  Looked,
  Message,
  Person,
  PostedFile,
  Pressed,
  Said,
} from "./chat-app.ts";
export { type ChannelOptions, runChannel } from "./run-channel.ts";
export type { Door } from "./door.ts";
export type { AdapterOptions, CreateAdapter } from "./create-adapter.ts";
export { createHandOver } from "./hand-over.ts";
export { createKeepTrying, type KeepTrying } from "./keep-trying.ts";
export { type Admission, type Allowed, createDoorkeeper, type Doorkeeper } from "./people/doorkeeper.ts";
export { cutRuns } from "./text/cut-runs.ts";
export { renderRuns, type Tags } from "./text/render-runs.ts";
export { plainText, type Run, type Style, styledText } from "./text/styled-text.ts";
