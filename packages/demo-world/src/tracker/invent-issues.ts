import { daysAgo } from "../days-ago.ts";
import type { DemoIssue } from "./tracker.ts";

const SITE = "acme/website";
const FORUM = "AnswerOverflow/AnswerOverflow";
const APP = "acme/mobile-app";

/** Invented, all of them: how many days ago each was opened and last touched. */
const ISSUES: readonly (readonly [repository: string, title: string, opened: number, touched: number])[] = [
  [SITE, "Search finds nothing on Safari", 212, 180],
  [SITE, "Typo on the pricing page", 140, 95],
  [SITE, "Dark mode flickers", 97, 3],
  [SITE, "Upload fails above 2 GB", 61, 61],
  [SITE, "Add a dashboard for teams", 34, 20],
  [SITE, "Footer links open twice", 12, 12],
  [SITE, "Sign-in loops after password reset", 1, 1],
  [FORUM, "Threads without a title are not indexed", 400, 310],
  [FORUM, "Solved mark is missing on old answers", 75, 40],
  [FORUM, "Sitemap lists private channels", 31, 5],
  [FORUM, "Code blocks lose their language", 2, 2],
  [APP, "Crash on start with Android 9", 520, 410],
  [APP, "Tablet layout wastes half the screen", 466, 400],
  [APP, "Login button hides behind the keyboard", 431, 288],
  [APP, "Battery drain in the background", 390, 301],
  [APP, "Push notifications arrive twice", 355, 120],
  [APP, "Offline mode forgets drafts", 322, 322],
  [APP, "Scroll position jumps after rotation", 290, 204],
  [APP, "Old logo in the about box", 271, 271],
  [APP, "Camera permission is asked too early", 248, 130],
  [APP, "Translations: Portuguese is half English", 226, 190],
  [APP, "Widgets show yesterday's numbers", 199, 45],
  [APP, "Export to CSV has no header", 173, 173],
  [APP, "Font size setting is ignored in lists", 151, 149],
  [APP, "Deep links open the wrong tab", 128, 110],
  [APP, "Long names overlap the avatar", 104, 98],
  [APP, "Sync stalls on slow networks", 83, 14],
  [APP, "Face recognition fails after update", 57, 9],
  [APP, "Haptics cannot be switched off", 38, 38],
  [APP, "Search history is shared between accounts", 21, 4],
  [APP, "Errors spiked after the last release", 8, 1],
  [APP, "Share sheet shows stale previews", 3, 3],
];

/** A colleague's comment on the issue that an incident is about. */
const REMARKS: Readonly<Record<string, string>> = {
  "Errors spiked after the last release": "Rolled back on the same day. See the error series for when.",
  "Dark mode flickers": "Still happens on my old laptop.",
};

/** The initial tracker, with ages counted from now. */
export function inventIssues(nowMs: number): DemoIssue[] {
  const numbers = new Map<string, number>();
  return ISSUES.map(([repository, title, opened, touched]) => {
    const number = (numbers.get(repository) ?? 0) + 1;
    numbers.set(repository, number);
    const [createdAt, updatedAt] = [daysAgo(nowMs, opened), daysAgo(nowMs, touched)];
    const remark = REMARKS[title];
    const comments =
      remark === undefined ? [] : [{ id: 1, author: "noor", text: remark, createdAt: updatedAt }];
    return { repository, number, title, state: "open", createdAt, updatedAt, comments };
  });
}
