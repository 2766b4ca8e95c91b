import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const DOVECOT = "/usr/sbin/dovecot";
const WAIT_MS = 20_000;
const POLL_MS = 100;

/** Undefined where Dovecot is not installed. */
export const dovecotVersion = existsSync(DOVECOT)
  ? spawnSync(DOVECOT, ["--version"], { encoding: "utf8" }).stdout.trim()
  : undefined;

export interface MailProvider extends AsyncDisposable {
  readonly port: number;
  readonly tokenUrl: string;
  readonly firstRefreshToken: string;
  /** How many access tokens were given out. */
  readonly renewals: () => number;
  /** Puts a mail into the inbox of `ada`. */
  deliver(mail: string): void;
  /** Ends her connections, as a server does that restarts. */
  kick(): void;
  /** From now on, no refresh token counts. */
  revoke(): void;
}

/**
 * A real Dovecot whose users sign in with access tokens alone, by one mechanism, and an authorization server beside it
 * that gives a new refresh token with each access token, and lets none of before count.
 */
export async function openMailProvider(mechanism: "oauthbearer" | "xoauth2"): Promise<MailProvider> {
  const folder = mkdtempSync(join(tmpdir(), "deputy-dovecot-"));
  chmodSync(folder, 0o755);
  const mail = join(folder, "mail");
  mkdirSync(mail);
  chmodSync(mail, 0o777);
  let given = 0;
  let isRevoked = false;
  const provider = await listen(async (path, headers, body) => {
    if (path === "/token") {
      const isGood = !isRevoked && new URLSearchParams(body).get("refresh_token") === `refresh-${given}`;
      if (!isGood) return [400, { error: "invalid_grant" }];
      given += 1;
      const tokens = { access_token: `access-${given}`, refresh_token: `refresh-${given}` };
      return [200, { ...tokens, token_type: "Bearer", expires_in: 2 }];
    }
    const isLive = headers.authorization === `Bearer access-${given}`;
    return isLive ? [200, { username: "ada", active: true }] : [401, { error: "invalid_token" }];
  });
  const port = await freePort();
  const isRoot = userInfo().uid === 0;
  const user = isRoot ? "dovecot" : userInfo().username;
  const group = isRoot ? "dovecot" : String(userInfo().gid);
  writeFileSync(
    join(folder, "oauth.conf"),
    `introspection_url = http://127.0.0.1:${provider.port}/introspect
introspection_mode = auth
username_attribute = username
active_attribute = active
active_value = true
`,
  );
  const settings = join(folder, "dovecot.conf");
  writeFileSync(
    settings,
    `base_dir = ${join(folder, "run")}
log_path = ${join(folder, "log")}
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = ${mechanism}
default_internal_user = ${user}
default_login_user = ${isRoot ? "dovenull" : user}
mail_location = maildir:${mail}/%u
mail_uid = ${user}
mail_gid = ${group}
first_valid_uid = 1
passdb {
  driver = oauth2
  mechanisms = ${mechanism}
  args = ${join(folder, "oauth.conf")}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${mail}/%u allow_all_users=yes
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
namespace inbox {
  inbox = yes
}
`,
  );
  const admin = (args: readonly string[], input?: string): void => {
    const { status, stderr } = spawnSync("doveadm", ["-c", settings, ...args], { input, encoding: "utf8" });
    if (status !== 0) throw new Error(`doveadm ${args.join(" ")}: ${stderr}`);
  };
  const child = spawn(DOVECOT, ["-F", "-c", settings], { stdio: "ignore" });
  const ended = once(child, "exit");
  await reachable(port);
  return {
    port,
    tokenUrl: `http://127.0.0.1:${provider.port}/token`,
    firstRefreshToken: "refresh-0",
    renewals: () => given,
    deliver: (message) => admin(["save", "-u", "ada", "-m", "INBOX"], message),
    kick: () => admin(["kick", "ada"]),
    revoke: () => void (isRevoked = true),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      provider.server.closeAllConnections();
      provider.server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Answer = readonly [status: number, body: object];

async function listen(
  answer: (path: string, headers: { readonly authorization?: string }, body: string) => Promise<Answer>,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((incoming, outgoing) => {
    void text(incoming)
      .then((body) => answer(incoming.url ?? "", incoming.headers as { authorization?: string }, body))
      .then(([status, body]) => {
        outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: portOf(server) };
}

function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const { server, port } = await listen(async () => [404, {}]);
  server.close();
  await once(server, "close");
  return port;
}

async function reachable(port: number): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("Dovecot does not answer");
}
