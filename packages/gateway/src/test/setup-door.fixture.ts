import type { SettingRow, SourceRow } from "@deputy/protocol/rpc";
import type { SetupContext, SetupDoor } from "../ws/methods/setup-handlers.ts";
import type { SocketClient } from "./socket-client.ts";

/** What somebody asked of the door, in order. */
export interface AskedSetup {
  readonly method: string;
  readonly params: unknown;
  readonly context: SetupContext;
}

const setting: SettingRow = {
  path: ["gateway", "port"],
  meaning: "The port",
  schema: { type: "integer" },
  value: null,
  default: 1,
  from: "default",
  effect: "start",
  isSecret: false,
  isPending: false,
};
const source: SourceRow = {
  name: "shelf",
  kind: "mcp",
  where: "https://example.org",
  tools: 1,
  standing: "ready",
  message: "",
  signsIn: false,
  isReviewed: true,
  isRemovable: true,
};
const seen = { name: "shelf", title: "", where: "", notes: [], tools: [], texts: [], isSame: false };
const look = { look: "1", state: "seen" as const, seen };

/** A door that answers everything, and remembers what it was asked. A model named `dumb` is not connected. */
export function setupDoorFixture(asked: AskedSetup[] = []): SetupDoor {
  const note =
    <Params, Result>(method: string, answer: (params: Params) => Result) =>
    async (params: Params, context: SetupContext): Promise<Result> => {
      asked.push({ method, params, context });
      return answer(params);
    };
  return {
    "models.status": note("models.status", () => ({
      model: "rehearsal/tour",
      isRehearsal: true,
      choices: ["rehearsal/tour", "local/other"],
      providers: [],
    })),
    "models.look": note("models.look", () => ({ servers: [] })),
    "models.connect": note("models.connect", ({ model }: { model: string }) => ({
      outcome: model === "dumb" ? ("calls_nothing" as const) : ("connected" as const),
    })),
    "models.stop": note("models.stop", () => ({ ok: true as const })),
    "channels.list": note("channels.list", () => ({ channels: [] })),
    "channels.connect": note("channels.connect", ({ channel }: { channel: string }) => ({
      outcome: channel === "pigeon" ? ("failed" as const) : ("connected" as const),
    })),
    "push.key": note("push.key", () => ({ key: "k" })),
    "push.subscribe": note("push.subscribe", () => ({ turnedOn: true })),
    "push.unsubscribe": note("push.unsubscribe", () => ({ ok: true as const })),
    "settings.list": note("settings.list", () => ({
      file: "f",
      hash: "h",
      settings: [setting],
      problems: [],
    })),
    "settings.set": note("settings.set", () => ({ hash: "h", setting })),
    "settings.unset": note("settings.unset", () => ({ hash: "h", setting })),
    "documents.list": note("documents.list", () => ({ documents: [] })),
    "documents.read": note("documents.read", () => ({ id: "a", text: "", hash: null })),
    "documents.write": note("documents.write", () => ({ hash: "h" })),
    "documents.remove": note("documents.remove", () => ({ ok: true as const })),
    "doctor.check": note("doctor.check", () => ({ findings: [] })),
    "sources.list": note("sources.list", () => ({ sources: [source] })),
    "sources.check": note("sources.check", () => ({ source })),
    "sources.look": note("sources.look", () => look),
    "sources.review": note("sources.review", () => look),
    "sources.await": note("sources.await", () => look),
    "sources.keep": note("sources.keep", () => ({ source })),
    "sources.decline": note("sources.decline", () => ({ ok: true as const })),
    "sources.remove": note("sources.remove", () => ({ ok: true as const })),
  };
}

/** Calls everything that a page can change, once. A browser must be signed in. */
export async function useSetup(call: SocketClient["call"]): Promise<void> {
  await call("daemon.restart");
  await call("models.status");
  await call("models.look", { baseUrl: "http://127.0.0.1:1" });
  await call("models.connect", { provider: "local", model: "m", key: "k" });
  await call("models.stop");
  await call("settings.list");
  await call("settings.set", { path: ["gateway", "port"], value: 2, baseHash: "h" });
  await call("settings.unset", { path: ["gateway", "port"], baseHash: "h" });
  await call("documents.list");
  await call("documents.read", { id: "a" });
  await call("documents.write", { id: "a", text: "x", baseHash: null });
  await call("documents.remove", { id: "a", baseHash: "h" });
  await call("doctor.check", { online: false });
  const { signIns } = await call("signIns.list");
  await call("signIns.revoke", { id: signIns[0]?.id });
  await call("sources.list");
  await call("sources.check", { name: "shelf" });
  await call("sources.look", { kind: "mcp", name: "shelf", where: "https://example.org" });
  await call("sources.review", { name: "shelf" });
  await call("sources.await", { look: "1" });
  await call("sources.keep", { look: "1" });
  await call("sources.decline", { look: "1" });
  await call("sources.remove", { name: "shelf" });
}
