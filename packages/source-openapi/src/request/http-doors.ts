export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** The ways out. Both must leave redirects to the caller (`redirect: "manual"`). */
export interface HttpDoors {
  /** To origins that the user named, which may be on the user's own machine. */
  readonly named: Fetch;
  /** To all other origins: must refuse private networks. */
  readonly others: Fetch;
}
