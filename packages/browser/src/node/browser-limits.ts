/** Bounds on what a page can cost. */
export interface BrowserLimits {
  /** Until a page has answered. */
  readonly navigateMs: number;
  /** How long a page may take to load its parts. Parts that are missing then come later. */
  readonly loadMs: number;
  /** The time for one action on a page. */
  readonly actionMs: number;
  /** The time for an element to be present, still and uncovered. */
  readonly elementMs: number;
  /** Without requests, after which a page counts as settled. */
  readonly quietMs: number;
  readonly settleMs: number;
  readonly waitMs: number;
  readonly downloadMs: number;
  readonly downloadBytes: number;
  readonly snapshotChars: number;
  readonly extractChars: number;
  readonly pageElements: number;
  readonly pageChars: number;
  readonly tabs: number;
  readonly dialogs: number;
  readonly screenshotHeight: number;
}

export const BROWSER_LIMITS: BrowserLimits = {
  navigateMs: 30_000,
  loadMs: 15_000,
  actionMs: 30_000,
  elementMs: 5_000,
  quietMs: 350,
  settleMs: 5_000,
  waitMs: 30_000,
  downloadMs: 300_000,
  downloadBytes: 50_000_000,
  snapshotChars: 60_000,
  extractChars: 100_000,
  pageElements: 100_000,
  pageChars: 10_000_000,
  tabs: 8,
  dialogs: 20,
  screenshotHeight: 10_000,
};
