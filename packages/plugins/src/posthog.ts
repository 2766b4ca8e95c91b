// The plugin that `@deputy/posthog` in `toolSources` names.
import { createPostHogPlugin } from "./posthog/create-posthog-plugin.ts";

// oxlint-disable-next-line import/no-default-export -- what a plugin is
export default createPostHogPlugin({ baseUrl: process.env["POSTHOG_HOST"] });
