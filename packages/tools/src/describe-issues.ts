import type { z } from "zod";

const MAX_ISSUES = 10;

/** Describes what is wrong with a value, one line per place, so that its author can correct it. */
export function describeIssues(error: z.ZodError): string {
  const lines = error.issues.map((issue) => {
    const place = issue.path.map(String).join(".");
    return place === "" ? issue.message : `${place}: ${issue.message}`;
  });
  const more = lines.length - MAX_ISSUES;
  return [...lines.slice(0, MAX_ISSUES), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
