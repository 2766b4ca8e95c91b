import type { ChildProcess } from "node:child_process";
import { PassThrough, Readable, Writable } from "node:stream";
import {
  client,
  type ClientContext,
  type InitializeRequest,
  methods,
  ndJsonStream,
  type NewSessionResponse,
  type PromptResponse,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { startDeputy } from "./run-deputy.ts";

/** An editor with the official client, talking to a real `deputy acp`. */
export interface Editor extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly agent: ClientContext;
  /** Every update so far, of all sessions, in order. */
  readonly updates: readonly { readonly sessionId: string; readonly update: SessionUpdate }[];
  readonly asked: readonly RequestPermissionRequest[];
  /** Everything that came on stdout. */
  stdout(): string;
  stderr(): string;
  /** What the agent said so far in that session. */
  said(sessionId: string): string;
  untilSaid(sessionId: string, text: string): Promise<void>;
  begin(cwd?: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
  /** Hangs up, as an editor that ends does, and waits until the process is gone. */
  hangUp(): Promise<number | null>;
  kill(): Promise<void>;
}

export type Permit = (
  request: RequestPermissionRequest,
  signal: AbortSignal,
) => Promise<RequestPermissionResponse> | RequestPermissionResponse;

export const choose = (optionId: string): RequestPermissionResponse => ({
  outcome: { outcome: "selected", optionId },
});

export async function startEditor(
  home: string,
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly permit?: Permit;
    readonly capabilities?: InitializeRequest["clientCapabilities"];
  } = {},
): Promise<Editor> {
  const { permit = () => choose("reject") } = options;
  const child = startDeputy(["acp", "--home", home, ...(options.args ?? [])], {
    input: "",
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  if (child.stdin === null || child.stdout === null) throw new Error("The child has no stdin or stdout");
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const updates: { sessionId: string; update: SessionUpdate }[] = [];
  const asked: RequestPermissionRequest[] = [];
  let stdout = "";
  let stderr = "";
  let moved = Promise.withResolvers<void>();
  child.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()));
  child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  child.stdin.on("error", () => undefined);
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout.pipe(new PassThrough())) as ReadableStream<Uint8Array>,
  );
  const connection = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      asked.push(params);
      return permit(params, signal);
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params);
      moved.resolve();
      moved = Promise.withResolvers<void>();
    })
    .connect(stream);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    ...(options.capabilities === undefined ? {} : { clientCapabilities: options.capabilities }),
  });
  const said = (sessionId: string): string =>
    updates
      .flatMap(({ sessionId: of, update }) =>
        of === sessionId && update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? [update.content.text]
          : [],
      )
      .join("");
  const hungUp = connection.closed.then(() => Promise.reject(new Error(`It hung up:\n${stderr}`)));
  hungUp.catch(() => undefined);
  return {
    child,
    agent,
    updates,
    asked,
    stdout: () => stdout,
    stderr: () => stderr,
    async untilSaid(sessionId, text) {
      while (!said(sessionId).includes(text)) await Promise.race([moved.promise, hungUp]);
    },
    said,
    async begin(cwd = "/") {
      const { sessionId } = await agent.request<NewSessionResponse>(methods.agent.session.new, {
        cwd,
        mcpServers: [],
      });
      return sessionId;
    },
    async prompt(sessionId, text) {
      const prompt = [{ type: "text" as const, text }];
      const { stopReason } = await agent.request<PromptResponse>(methods.agent.session.prompt, {
        sessionId,
        prompt,
      });
      return stopReason;
    },
    async hangUp() {
      child.stdin?.end();
      return await exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
