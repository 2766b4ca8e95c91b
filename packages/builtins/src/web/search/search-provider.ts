/** Whoever is asked what the web has about something. */
export interface SearchProvider {
  /** As the user knows it. */
  readonly name: string;
  /**
   * What it found, the best first, never more than `count`. Rejects with `search_failed`, or as the way out to the
   * network does. All of it is others' words.
   */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** What the page says about it, in a few words; without marks. */
  readonly snippet: string;
  /** As the provider has it: a date, or words such as “2 days ago”. */
  readonly published?: string;
}

export const MOST_HITS = 20;
