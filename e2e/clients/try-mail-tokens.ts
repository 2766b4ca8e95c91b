import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "../run-deputy.ts";
import { openMailProvider } from "./dovecot.ts";

const WAIT_MS = 40_000;
const POLL_MS = 250;
const mail = (subject: string): string =>
  `From: Eve <eve@example.org>\nTo: ada@example.org\nSubject: ${subject}\nMessage-ID: <${subject}@example.org>\n\nWords\n`;

/**
 * A daemon watches a mailbox of a real Dovecot with tokens that it renews: also when the server ends the connection,
 * after a kill, and until the provider refuses. Gives what was wrong.
 */
export async function tryMailTokens(mechanism: "oauthbearer" | "xoauth2"): Promise<string | undefined> {
  using home = scratchDirectory();
  await using provider = await openMailProvider(mechanism);
  mkdirSync(join(home.path, "secrets"), { mode: 0o700 });
  writeFileSync(join(home.path, "secrets/refresh"), provider.firstRefreshToken, { mode: 0o600 });
  const source = {
    type: "imap",
    name: "orders",
    host: "127.0.0.1",
    port: provider.port,
    secure: "none",
    user: "ada",
    oauth: { tokenUrl: provider.tokenUrl, clientId: "deputy", refreshToken: "file:secrets/refresh" },
  };
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ events: [source] }), { mode: 0o600 });
  const hooks = async (...args: readonly string[]): Promise<string> =>
    (
      await runDeputy(["hooks", ...args, "--json", "--home", home.path], {
        process: "own",
        env: { DEPUTY_TOKEN: TOKEN },
      })
    ).stdout;
  const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${what} (${await hooks()})`);
  };
  const arrived = async (count: number): Promise<boolean> =>
    jsonLines(await hooks("deliveries", "orders")).length >= count;
  const isWatching = async (): Promise<boolean> => (await hooks()).includes('"watching"');

  {
    await using daemon = await startDaemon(home.path);
    await until("it does not sign in", isWatching);
    provider.deliver(mail("first"));
    await until("the first mail does not arrive", () => arrived(1));
    const before = provider.renewals();
    provider.kick();
    await until("it does not renew its token", async () => provider.renewals() > before);
    await until("it does not sign in again", isWatching);
    await daemon.end("SIGKILL");
  }
  provider.deliver(mail("second"));
  await using again = await startDaemon(home.path);
  await until("after a kill, the second mail does not arrive", () => arrived(2));
  provider.revoke();
  await until("it does not say that it is refused", async () => {
    try {
      provider.kick();
    } catch {
      // While it signs in, there may be no connection to end.
    }
    return (await hooks()).includes("invalid_grant");
  });
  const told = again.told();
  if (/access-\d|refresh-\d/.test(told)) return `it tells a token: ${told}`;
  return undefined;
}
