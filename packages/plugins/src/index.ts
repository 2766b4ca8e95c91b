// The plugins that Deputy brings. What does not belong here: what is a tool (see @deputy/tools), and services that describe
// themselves, which need no plugin.
export type { ServiceOptions } from "./ask-service.ts";
export { createGitHubPlugin } from "./github/create-github-plugin.ts";
export { createPostHogPlugin } from "./posthog/create-posthog-plugin.ts";
