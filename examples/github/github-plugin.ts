import { createGitHubPlugin } from "@deputy/deputy/plugins";
import { defineTool } from "@deputy/deputy/tools";
import { z } from "zod";

// The GitHub plugin that Deputy brings, with another address and a tool of one's own beside it. Without either,
// `deputy tools add github` is enough.

const api = process.env["GITHUB_API_URL"];

export default {
  ...createGitHubPlugin({ baseUrl: api }),
  deadlines: {
    next: defineTool({
      description: "The day of the next release",
      approval: "auto",
      effect: "read",
      args: z.object({}),
      returns: z.object({ day: z.string() }),
      run: () => ({ day: "2026-12-01" }),
    }),
  },
};
