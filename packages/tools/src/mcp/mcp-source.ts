import type { Clock } from "@deputy/kit";
import type { Sha256 } from "@deputy/protocol";
import type { ToolSource } from "../create-catalogue.ts";
import type { ReadyTool } from "../tool.ts";
import { compareListing } from "./compare-listing.ts";
import { type ConnectionLimits, createConnection } from "./connection.ts";
import type { Listing } from "./listing.ts";
import type { McpTransport } from "./mcp-transport.ts";
import { mcpTool } from "./mcp-tool.ts";
import type { PinChange, Pins, PinStore } from "./pins.ts";
import { shelfTools } from "./shelf-tools.ts";

export interface McpSourceDeps {
  /** The server's namespace in `tools`. */
  readonly name: string;
  readonly version: string;
  readonly store: PinStore;
  /** Of what the settings would start or ask. */
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
 * The tools of a server as they are pinned. Nothing is started or asked before a tool is called. Throws
 * `mcp_pins_invalid`.
 */
export function openMcpSource(deps: McpSourceDeps): McpSource {
  const { name, store, sha256, warn } = deps;
  const look = `\`deputy tools approve ${name}\` shows it`;
  const pins = store.read();
  if (pins === undefined) {
    warn(`${name} has no tools yet: nobody has looked at them; ${look}.`);
    return { source: { source: name, tree: {} }, [Symbol.asyncDispose]: async () => undefined };
  }

  const isOther = pins.target !== deps.target;
  if (isOther)
    warn(`What ${name} starts or asks has changed in the settings: it is not used until then; ${look}.`);
  let disabled = namesOf(pins.changes);
  if (disabled.size > 0)
    warn(`${name} has tools that have changed: ${[...disabled].length} cannot be called; ${look}.`);

  const connection = createConnection({
    ...deps,
    onListed(listing) {
      disabled = namesOf(compareListing(sha256, pins.tools, listing.definitions));
      noteChanges(deps, listing);
    },
  });
  const whyDisabled = (tool: string): string | undefined => {
    if (isOther) return `what ${name} starts or asks has changed since somebody looked; ${look}`;
    return disabled.has(tool) ? `its definition has changed since somebody looked; ${look}` : undefined;
  };
  const toolDeps = { server: name, connection, whyDisabled };
  const tools = pins.tools.map((pinned): readonly [string, ReadyTool] => [
    pinned.id,
    mcpTool(toolDeps, pinned),
  ]);
  const shelves = isOther ? {} : shelfTools(name, connection, pins.offers);
  return {
    source: { source: name, tree: { [name]: { ...Object.fromEntries(tools), ...shelves } } },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** Writes down what has become different, for whoever looks next; what others have agreed to meanwhile stays. */
function noteChanges({ store, sha256, name, target, warn }: McpSourceDeps, listing: Listing): void {
  const pins = store.read();
  if (pins === undefined || pins.target !== target) return;
  const changes = compareListing(sha256, pins.tools, listing.definitions);
  if (JSON.stringify(changes) === JSON.stringify(pins.changes)) return;
  store.write({ ...pins, changes: [...changes] });
  if (changes.length > 0)
    warn(
      `${name} offers other tools than those you looked at: ${countsOf(changes)}; \`deputy tools approve ${name}\` shows them.`,
    );
}

/** Of tools that are no longer what was pinned. A new one is not in the catalogue at all. */
function namesOf(changes: Pins["changes"] | readonly PinChange[]): ReadonlySet<string> {
  return new Set(
    changes.flatMap((change) => {
      if (change.kind === "new") return [];
      return change.kind === "gone" ? [change.name] : [change.definition.name];
    }),
  );
}

function countsOf(changes: readonly PinChange[]): string {
  const count = (kind: PinChange["kind"]): number => changes.filter((change) => change.kind === kind).length;
  return `${count("changed")} changed, ${count("new")} new, ${count("gone")} gone`;
}
