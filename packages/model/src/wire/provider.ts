/** Whom a model talks to, for requests and for what users read when it fails. */
export interface Provider {
  /** Begins a sentence: “Anthropic”, “The local server”. */
  readonly name: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The setting that holds the address. */
  readonly urlVariable: string;
  /** The setting that holds the key; one that is here may want none. */
  readonly keyVariable: string;
  /** `here`: the user's own server, which may not be running. */
  readonly place: "here" | "elsewhere";
}
