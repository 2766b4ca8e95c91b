/** A fetch says `fetch failed`; what it means stands in the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code === "" ? "the connection failed" : code;
}
