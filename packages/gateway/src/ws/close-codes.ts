/** Why the server ends a connection. Those from 4000 on are ours. */
export const closeCodes = {
  /** Deputy stops; connect again later. */
  goingAway: 1001,
  /** Only text frames are accepted. */
  notText: 1003,
  /** Too many pings. */
  policy: 1008,
  /** Something broke inside Deputy; connect again. */
  internal: 1011,
  /** The client does not read what it is sent. Connect again and subscribe with `after`: nothing is lost. */
  slowReader: 4008,
  /** The token is missing, wrong, or no longer the current one. */
  unauthorized: 4401,
  /** The client did not sign in in time. */
  authTimeout: 4408,
  /** Too many wrong tokens came from this address. */
  tooManyAttempts: 4429,
} as const;
