// Slack as a chat app of Deputy's. What all chat apps have in common is in @deputy/channels.
export { createSlackApp, type SlackOptions } from "./slack-app.ts";
