/** The tools for typical mistakes. Fixed text, so that the messages about them are fixed too. */
export const MISTAKE_DECLARATIONS = `type Issue = {
  id: number;
  title: string;
  state: "closed" | "open";
  labels: string[];
  assignee: { login: string; name?: string } | null;
};
declare const tools: {
  readonly issues: {
    /** Lists issues */
    readonly list: (input?: { state?: "all" | "closed" | "open"; label?: string; limit?: number }) => Promise<Issue[]>;
    readonly create: (input: {
      title: string;
      body: string;
      labels?: ("bug" | "feature" | "question")[];
      priority?: "high" | "low" | "medium";
    }) => Promise<Issue>;
    readonly close: (input: { id: number; reason?: string }) => Promise<{ id: number }>;
  };
  readonly mail: {
    readonly send: (input: {
      to: { address: string; name?: string }[];
      subject: string;
      body: string;
    }) => Promise<{ messageId: string }>;
    readonly search: (input: { query: string }) => Promise<unknown>;
  };
  readonly metrics: {
    readonly query: (input: {
      name: ${Array.from({ length: 300 }, (_, n) => `"metric_${n}"`).join(" | ")};
      from: string;
      to: string;
    }) => Promise<{ points: { at: string; value: number }[]; next?: string }>;
  };
};
`;
