import { join } from "node:path";

export interface ServiceProgram {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly home: string;
}

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  /** The command that starts it, once the file exists. */
  readonly start: string;
  /** The command by which it also runs while the user is signed out, where that takes one. */
  readonly stay?: string;
}

export type ServiceKind = "systemd" | "launchd";

/** The file that keeps the daemon running for one user: a systemd user unit, or a launchd agent. */
export function serviceFile(
  kind: ServiceKind,
  program: ServiceProgram,
  folders: { readonly userHome: string; readonly configHome: string },
): ServiceFile {
  if (kind === "launchd") {
    const path = join(folders.userHome, "Library/LaunchAgents", `${LABEL}.plist`);
    return { path, text: launchd(program), start: `launchctl bootstrap gui/$(id -u) ${path}` };
  }
  return {
    path: join(folders.configHome, "systemd/user/deputy.service"),
    text: systemd(program),
    start: "systemctl --user daemon-reload && systemctl --user enable --now deputy",
    stay: "loginctl enable-linger",
  };
}

const LABEL = "io.github.deputy.daemon";

/**
 * It is ordered after nothing: a user's manager has no target for the network, and Deputy waits for that by itself.
 * It shuts down cleanly on SIGTERM: tasks are suspended, and the next start continues them. What it may not do is what
 * it never needs. Left out on purpose: commands and the browser make namespaces of their own, mount a whole `/proc` in
 * them (a masked one forbids that, so nothing that masks it is here) and compile code while they run; your files, with
 * `/tmp`, are where agents bring changes back to.
 */
function systemd({ command, home }: ServiceProgram): string {
  return `[Unit]
Description=Deputy, a personal assistant
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
ExecStart=${[...command, "serve", "--home", home].map(quoteUnit).join(" ")}
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=20
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=full
ProtectClock=yes
ProtectHostname=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
PrivateDevices=yes
PrivateUsers=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service @mount seccomp
SystemCallErrorNumber=EPERM
KeyringMode=private

[Install]
WantedBy=default.target
`;
}

/** Quotes a word for systemd, so that specifiers and variables are taken literally. */
function quoteUnit(word: string): string {
  const literal = word
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("%", "%%")
    .replaceAll("$", "$$$$");
  return `"${literal}"`;
}

function launchd({ command, home }: ServiceProgram): string {
  const words = [...command, "serve", "--home", home].map(
    (word) => `    <string>${escapeXml(word)}</string>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
