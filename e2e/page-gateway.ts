import { join } from "node:path";
import {
  createAgentRegistry,
  createLogApprovalDesk,
  createLogGrantsDesk,
  type TurnRunner,
} from "@deputy/agent";
import { createLogSessionService } from "@deputy/agent/sessions";
import { createGateway } from "@deputy/gateway";
import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import type { EventLog } from "@deputy/protocol";
import { createConversationQueue, createLogTaskService } from "@deputy/tasks";
import { createMemoryBlobStore, createMemoryEventLog, createMemoryTextFolder } from "@deputy/testing";
import { loadPageFiles } from "@deputy/web/files";
import { BUNDLE } from "./repository.ts";
import { TOKEN } from "./run-deputy.ts";

export interface PageGateway extends AsyncDisposable {
  readonly url: string;
  readonly log: EventLog;
  readonly ids: IdSource;
}

/** The page over a log that the test writes itself: for what a program could bring about only by chance. */
export async function startPageGateway(): Promise<PageGateway> {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const life = new AbortController();
  const onBug = (error: unknown): never => {
    throw error;
  };
  const nobody = () => Promise.reject(new Error("Nobody works here"));
  const turns: TurnRunner = { run: nobody, stop: nobody, giveUp: nobody };
  const sessions = createLogSessionService({ log, ids });
  const { signal } = life;
  const tasks = createLogTaskService({ log, ids, work: nobody, onBug, signal });
  const conversations = createConversationQueue({ log, ids, turns, sessions, onBug, signal });
  const settings = { defaultAgent: "main", forAll: {}, bySlug: new Map() };
  const gateway = createGateway({
    log,
    tasks,
    conversations,
    sessions,
    approvals: createLogApprovalDesk({ log, clock, ids, redactor: createRedactor([]) }),
    grants: createLogGrantsDesk({ log, clock }),
    agents: createAgentRegistry({ folder: createMemoryTextFolder({}), settings, shelvesOf: () => [] }),
    defaultAgent: "main",
    blobs: createMemoryBlobStore(),
    hooks: () => [],
    inbox: { accept: nobody },
    clock,
    token: () => TOKEN,
    version: "0.0.0",
    page: loadPageFiles(BUNDLE === undefined ? {} : { directory: join(BUNDLE, "dist", "web") }).files,
    host: "127.0.0.1",
    port: 0,
    onBug,
  });
  const { url } = await gateway.listen(signal);
  return {
    url,
    log,
    ids,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      life.abort();
      await tasks[Symbol.asyncDispose]();
      await conversations[Symbol.asyncDispose]();
    },
  };
}
