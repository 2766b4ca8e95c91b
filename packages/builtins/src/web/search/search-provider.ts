/** Whoever is asked what the web has about something. */
export interface SearchProvider {
  /** The name that the user knows. */
  readonly name: string;
  /**
   * The results, the best first, at most `count`. Rejects with `search_failed`, or as the network access does. Others
   * wrote all of it.
   */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** A short extract of the page, without marks. */
  readonly snippet: string;
  /** In the provider's form: a date, or words such as “2 days ago”. */
  readonly published?: string;
}

export const MOST_HITS = 20;
