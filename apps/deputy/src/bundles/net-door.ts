import type { BundleFetch } from "@deputy/bundles/node";
import type { NetAudit } from "@deputy/net";
import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import type { Home } from "../home.ts";
import { findNpmRegistry } from "./npm-registry.ts";
import { fetchForBundles, fetchForScripts } from "./ways-out.ts";

/** What a command is given in one answer of the daemon; the largest program that we know of has 30 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The daemon asks for commands of its owner, as they would themselves, and writes it down. */
export function createNetDoor(
  home: Pick<Home, "directory" | "config">,
  audit: NetAudit,
): (request: RpcParams<"net.fetch">, signal: AbortSignal) => Promise<RpcResult<"net.fetch">> {
  const wayOut = async (
    way: "scripts" | "bundles",
    signal: AbortSignal,
  ): Promise<BundleFetch | undefined> => {
    const { hosts } = home.config.tools.shell;
    if (way === "scripts") return hosts.length === 0 ? undefined : await fetchForScripts(hosts, audit);
    return await fetchForBundles(home, await findNpmRegistry(home, signal), audit, { bodyBytes: MOST_BYTES });
  };
  return async ({ way, body, ...request }, signal) => {
    const { askHost } = await import("@deputy/contained-shell/node");
    const sent = body === undefined ? undefined : new Uint8Array(Buffer.from(body, "base64"));
    const answer = await askHost(await wayOut(way, signal), { ...request, body: sent }, signal);
    if (answer.kind === "failed") return { answer };
    const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
    return { answer: { ...answer, headers, body: Buffer.from(answer.body).toString("base64") } };
  };
}
