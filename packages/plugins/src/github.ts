// The plugin that `@deputy/github` in `toolSources` names.
import { createGitHubPlugin } from "./github/create-github-plugin.ts";

// oxlint-disable-next-line import/no-default-export -- what a plugin is
export default createGitHubPlugin({ baseUrl: process.env["GITHUB_API_URL"] });
