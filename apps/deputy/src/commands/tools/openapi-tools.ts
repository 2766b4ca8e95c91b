import { createSystemClock, makeVisible } from "@deputy/kit";
import { hashSpec, specStanding } from "@deputy/source-openapi/pins";
import { reviewSpec } from "@deputy/source-openapi/review-spec";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { OpenApiSettings } from "../../config/tool-source-schema.ts";
import type { Invocation } from "../../invocation.ts";
import { NOTHING_IS_CALLED } from "../../load-catalogue.ts";
import { readSpecOf } from "../../sources/load-openapi.ts";
import { pinnedSpecOf } from "../../sources/pinned-spec.ts";
import { sha256 } from "../../sources/spec-place.ts";

const clock = createSystemClock();

/** `deputy tools approve NAME` for an OpenAPI document at an address. */
export async function approveOpenApi(
  invocation: Invocation,
  settings: OpenApiSettings,
  { yes }: { readonly yes?: true },
): Promise<ExitCode> {
  const { output } = invocation;
  const { root } = await readNow(invocation, settings);
  if (!(await agreeToSpec(invocation, settings, root, yes))) return EXIT.failed;
  const { name } = pinnedSpecOf(settings, invocation.homeDirectory);
  output.result(`${makeVisible(name)} is approved. A running daemon uses it from the next message on.`);
  output.object({ type: "tool_source", name });
  return EXIT.done;
}

/** Rejects as `readSpec` does. */
export async function readNow(
  { homeDirectory: home, signal }: Invocation,
  settings: OpenApiSettings,
): Promise<{ readonly root: unknown; readonly location: URL }> {
  return await readSpecOf(settings, { ...NOTHING_IS_CALLED, home, signal, clock });
}

/**
 * Shows what a document from an address says, or what has changed in it, and where calls and credentials would go. Asks,
 * and keeps the document if the user agrees. Throws `spec_invalid`.
 */
export async function agreeToSpec(
  { homeDirectory, output, reader, signal }: Invocation,
  settings: OpenApiSettings,
  root: unknown,
  yes: true | undefined,
): Promise<boolean> {
  const { name, store, target } = pinnedSpecOf(settings, homeDirectory);
  const standing = specStanding(store, target);
  const before = standing.kind === "pinned" ? standing.pins : undefined;
  const location = new URL(settings.spec);
  const { title, origins, texts } = reviewSpec(before?.document, root, location);
  output.result(`${makeVisible(name)} calls itself ${title || "nothing"}.`);
  for (const line of placesOf(settings, location, origins)) output.result(line);
  for (const text of texts) output.result(text);
  if (before !== undefined && texts.length === 0) output.result("Nothing has changed.");
  if (yes !== true) {
    const answer = await reader.next("Use these tools? [y]es, [n]o: ", signal, "fresh");
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) return false;
  }
  const pinnedAt = new Date(clock.now()).toISOString();
  const hash = hashSpec(sha256, root);
  store.write({ version: 1, target, pinnedAt, origins: [...origins], hash, document: root });
  return true;
}

function placesOf(
  { server, auth, headers = {} }: OpenApiSettings,
  location: URL,
  origins: readonly string[],
): readonly string[] {
  const hasSecrets = auth !== undefined || Object.keys(headers).length > 0;
  const secrets = hasSecrets ? ", with your credentials" : "";
  if (server !== undefined) return [`Its calls go to ${new URL(server).origin}, as you said${secrets}.`];
  if (origins.length === 0) return [`Its calls go to ${location.origin}${secrets}.`];
  const places = makeVisible(origins.join(", "));
  return [`! It is read from ${location.origin}, but sends calls to ${places}${secrets}.`];
}
