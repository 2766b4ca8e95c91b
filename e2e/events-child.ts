// Watches a mailbox (port argv[3]) and a folder (argv[4]) for the home in argv[2], over the real log. With a number in
// argv[5] it kills itself as soon as so many new deliveries are committed: before any cursor is written.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { openSqliteStore } from "@deputy/store/sqlite";
import { createLogInbox } from "@deputy/tasks";
import { superviseSources } from "@deputy/tasks/sources";
import { createFolderSource, createMailSource } from "@deputy/tasks/node/sources";

const [, , home = "", port = "", folder = "", killAt = "0"] = process.argv;
const clock = createSystemClock();
const { log } = await openSqliteStore({ directory: home, clock, ids: createIdSource({ clock }) });
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const inbox = createLogInbox({ log, sha256, redact: (value) => value });
let committed = 0;

superviseSources({
  sources: [
    createMailSource({
      name: "mail",
      settings: { host: "127.0.0.1", port: Number(port), encryption: "none", user: "ada", mailbox: "INBOX" },
      secret: () => ({ kind: "password", value: "secret-1" }),
      cursorFile: join(home, "events", "mail.cursor.json"),
      clock,
    }),
    createFolderSource({
      name: "files",
      settings: { path: folder, on: ["created", "removed"] },
      snapshotFile: join(home, "events", "files.cursor.json"),
      home,
      clock,
    }),
  ],
  inbox: {
    async accept(delivery) {
      const accepted = await inbox.accept(delivery);
      if (accepted.kind === "accepted") committed += 1;
      if (committed === Number(killAt) && committed > 0) process.kill(process.pid, "SIGKILL");
      return accepted;
    },
  },
  clock,
  onState: (name, { kind }) => void writeSync(1, `${name} ${kind}\n`),
  onBug: (error) => {
    throw error;
  },
  signal: new AbortController().signal,
});
// Somebody ends it.
setInterval(() => undefined, 60_000);
