export interface GatewayLimits {
  readonly bodyBytes: number;
  /** Time a client has to send its whole request. */
  readonly requestMs: number;
  /** Time `close` waits for requests under way before it cuts them off. */
  readonly closeMs: number;
  readonly heartbeatMs: number;
  /** A stream whose reader has taken nothing for this long is cut off; it can resume by its cursor. */
  readonly stallMs: number;
  readonly openStreams: number;
  /** Wrong tokens per remote address and window; beyond it no token from there is checked. */
  readonly wrongTokens: number;
  readonly wrongTokenWindowMs: number;
  /** Remote addresses remembered for that; the oldest is forgotten first. */
  readonly wrongTokenAddresses: number;
  /**
   * Events per minute for accepted sign-ins, and as many for refused ones; further refusals are counted in
   * the next event.
   */
  readonly auditedSignInsPerMinute: number;
  /** A client that signs in again within this time gets no new event. */
  readonly signInWindowMs: number;
  /** How many clients are remembered for `signInWindowMs`; the first one that signed in is forgotten first. */
  readonly signInClients: number;
  /** WebSockets, and those that have not signed in, with the time they have for it. */
  readonly sockets: number;
  readonly anonymousSockets: number;
  readonly socketAuthMs: number;
  /** Limits of one socket: streams that it follows, and concurrent requests. */
  readonly socketStreams: number;
  readonly socketRequests: number;
  /** Bytes that may wait for its reader before streams wait too; beyond the second it is cut off. */
  readonly socketBufferBytes: number;
  readonly socketMostBufferBytes: number;
  /** Pings from a client in ten seconds. */
  readonly socketPings: number;
  /** How often a silent client is asked whether it is there. */
  readonly socketPingMs: number;
  /** Sessions of MCP clients of the older protocol, and the time after which an unused one ends. */
  readonly mcpSessions: number;
  readonly mcpSessionMs: number;
  /** A token that was current this long ago still counts as current; a silent socket is checked every second. */
  readonly socketTokenCheckMs: number;
}

export const defaultGatewayLimits: GatewayLimits = {
  bodyBytes: 1_000_000,
  requestMs: 30_000,
  closeMs: 5_000,
  heartbeatMs: 15_000,
  stallMs: 60_000,
  openStreams: 2_000,
  wrongTokens: 20,
  wrongTokenWindowMs: 60_000,
  wrongTokenAddresses: 1_000,
  auditedSignInsPerMinute: 30,
  signInWindowMs: 3_600_000,
  signInClients: 1_000,
  sockets: 1_000,
  anonymousSockets: 100,
  socketAuthMs: 10_000,
  socketStreams: 200,
  socketRequests: 32,
  socketBufferBytes: 65_536,
  socketMostBufferBytes: 8_000_000,
  socketPings: 100,
  socketPingMs: 30_000,
  mcpSessions: 100,
  mcpSessionMs: 3_600_000,
  socketTokenCheckMs: 20,
};
