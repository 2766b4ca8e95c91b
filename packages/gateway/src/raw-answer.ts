import type { Duplex } from "node:stream";
import { problemHeaders, problemOf } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";

/** Refuses a request that could not be parsed, and ends the connection. */
export function endWithProblem(socket: Duplex, refusal: unknown): void {
  const problem = problemOf(refusal);
  const headers = { ...securityHeaders("api"), ...problemHeaders(refusal), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${JSON.stringify(problem)}`,
  );
}
