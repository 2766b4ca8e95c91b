import type { Clock } from "@deputy/kit";
import type { Sha256 } from "@deputy/protocol";
import type { ToolSource } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import type { ConnectionDeps, ConnectionLimits, McpConnection } from "./connection.ts";
import { agreementOf, createLivePins } from "./live-pins.ts";
import type { McpTransport } from "./mcp-transport.ts";
import { mcpTool } from "./mcp-tool.ts";
import type { Pins, PinStore } from "./pins.ts";
import { shelfTools } from "./shelf-tools.ts";

export interface McpSourceDeps {
  /** The server's namespace in `tools`. */
  readonly name: string;
  readonly version: string;
  readonly store: PinStore;
  /** Identifies what the settings would start or connect to. */
  readonly target: string;
  readonly openTransport: () => Promise<McpTransport>;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly warn: (text: string) => void;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface McpSource extends AsyncDisposable {
  readonly source: ToolSource;
}

/**
 * The pinned tools of a server; after a renewal, those pinned by then. Empty, after a warning, if the pins
 * cannot be read. Starts and asks nothing before a tool is called.
 */
export function openMcpSource(deps: McpSourceDeps): McpSource {
  const { name, target, warn } = deps;
  const pins = createLivePins({ ...deps, onAgreed: () => connection.reopen() });
  const connection = connectLater({ ...deps, onListed: (listing) => pins.listed(listing) });
  const guarded: McpConnection = {
    ...connection,
    async request(context, send) {
      const why = pins.whyUnusable();
      if (why !== undefined) throw new ToolsError("mcp_tool_disabled", `${name}: ${why}`);
      return await connection.request(context, send);
    },
  };

  const treeOf = (agreed: Pins): ToolTree => {
    const tools = agreed.tools.map((pinned) => {
      const whyDisabled = (as: "now" | "last seen") => pins.whyDisabled(pinned, as);
      return [pinned.id, mcpTool({ server: name, target, connection, whyDisabled }, pinned)] as const;
    });
    const shelves = agreed.target === target ? shelfTools(name, target, guarded, agreed.offers) : {};
    return { [name]: { ...Object.fromEntries(tools), ...shelves } };
  };

  let made: { readonly agreement: string; readonly source: ToolSource } | undefined;
  const make = (agreement: string, tree: ToolTree): ToolSource => {
    const source = { source: name, tree, renewed: current };
    made = { agreement, source };
    return source;
  };
  function current(): ToolSource {
    let agreed: Pins | undefined;
    try {
      agreed = pins.read();
    } catch (error) {
      // Existing tools report it when they are called.
      if (made !== undefined) return made.source;
      warn(describeDamage(name, error));
      return make("damaged", {});
    }
    const agreement = agreementOf(agreed);
    if (made?.agreement === agreement) return made.source;
    const wrong = describeStanding(name, target, agreed);
    if (wrong !== undefined) warn(wrong);
    return make(agreement, agreed === undefined ? {} : treeOf(agreed));
  }

  return { source: current(), [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}

/** A connection whose code is loaded with the first request, because most runs use few servers. */
function connectLater(deps: ConnectionDeps): McpConnection {
  let connection: McpConnection | undefined;
  let isClosed = false;
  const get = async (): Promise<McpConnection> => {
    const { createConnection } = await import("./connection.ts");
    if (isClosed) throw new ToolsError("mcp_disconnected", `${deps.name}: Deputy is closing`);
    return (connection ??= createConnection(deps));
  };
  return {
    listing: async (signal) => await (await get()).listing(signal),
    reopen: () => connection?.reopen(),
    request: async (context, send) => await (await get()).request(context, send),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await connection?.[Symbol.asyncDispose]();
    },
  };
}

function describeDamage(name: string, error: unknown): string {
  if (!(error instanceof ToolsError)) return `Tool source ${name} is left out: its pins cannot be read.`;
  const hint = error.hint === undefined ? "" : ` ${error.hint}`;
  return `Tool source ${name} is left out: ${error.message}.${hint}`;
}

/** What the user should know about a server before any of its tools is called. */
function describeStanding(name: string, target: string, pins: Pins | undefined): string | undefined {
  const look = `\`deputy tools approve ${name}\` shows it.`;
  if (pins === undefined) return `${name} has no tools yet: you have not approved them; ${look}`;
  if (pins.target !== target)
    return `The command or address of ${name} has changed in the settings, so its tools cannot be used; ${look}`;
  const changed = pins.changes.filter(({ kind }) => kind !== "new").length;
  return changed === 0
    ? undefined
    : `${name} has tools that have changed: ${changed} cannot be called; ${look}`;
}
