/** The service a model talks to, for requests and for error messages. */
export interface Provider {
  /** Begins a sentence: “Anthropic”, “The local server”. */
  readonly name: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The setting that holds the address. */
  readonly urlVariable: string;
  /** The setting that holds the key; a local server may need none. */
  readonly keyVariable: string;
  /** `here`: the user's own server, which may not be running. */
  readonly place: "here" | "elsewhere";
}
