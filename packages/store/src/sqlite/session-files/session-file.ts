// The lines of an exported session: a header, one line per event, a trailer.

export const SESSION_FORMAT = "deputy-session";
export const SESSION_FORMAT_VERSION = 1;

export interface SessionHeader {
  readonly format: typeof SESSION_FORMAT;
  readonly version: typeof SESSION_FORMAT_VERSION;
  readonly stream: string;
  readonly schemaVersion: number;
}

/** Without it, a truncated file would pass for a shorter session. */
export interface SessionTrailer {
  readonly end: true;
  readonly count: number;
  readonly headHash: string;
}
