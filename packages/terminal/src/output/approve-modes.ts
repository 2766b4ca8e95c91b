/** How a command answers approvals: yes to all, no to all, or by asking. */
export const approveModes = ["all", "none", "ask"] as const;
export type ApproveMode = (typeof approveModes)[number];
