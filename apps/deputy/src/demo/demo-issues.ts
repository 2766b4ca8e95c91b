/** An issue of the demo tracker; times are ISO 8601. */
export interface DemoIssue {
  /** `owner/repo`. */
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "closed";
  readonly createdAt: string;
  readonly updatedAt: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Invented, all of them: how many days ago each was opened and last touched. */
const ISSUES: readonly (readonly [repository: string, title: string, opened: number, touched: number])[] = [
  ["acme/website", "Search finds nothing on Safari", 212, 180],
  ["acme/website", "Typo on the pricing page", 140, 95],
  ["acme/website", "Dark mode flickers", 97, 3],
  ["acme/website", "Upload fails above 2 GB", 61, 61],
  ["acme/website", "Add a dashboard for teams", 34, 20],
  ["acme/website", "Footer links open twice", 12, 12],
  ["acme/website", "Sign-in loops after password reset", 1, 1],
  ["AnswerOverflow/AnswerOverflow", "Threads without a title are not indexed", 400, 310],
  ["AnswerOverflow/AnswerOverflow", "Solved mark is missing on old answers", 75, 40],
  ["AnswerOverflow/AnswerOverflow", "Sitemap lists private channels", 31, 5],
  ["AnswerOverflow/AnswerOverflow", "Code blocks lose their language", 2, 2],
];

/** The tracker as it is at first, with ages counted from now. */
export function inventIssues(nowMs: number): readonly DemoIssue[] {
  const daysAgo = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString();
  const numbers = new Map<string, number>();
  return ISSUES.map(([repository, title, opened, touched]) => {
    const number = (numbers.get(repository) ?? 0) + 1;
    numbers.set(repository, number);
    const [createdAt, updatedAt] = [daysAgo(opened), daysAgo(touched)];
    return { repository, number, title, state: "open", createdAt, updatedAt };
  });
}
