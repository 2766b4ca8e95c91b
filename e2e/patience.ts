/** How long a test waits for what must come. What comes ends the wait: patience costs time only where a test fails. */
export const PATIENCE_MS = 90_000;
