import type { PreparedModule } from "@deputy/wasi";
import type { Manifest } from "./manifest/manifest.ts";

/** A command that a shell has because a bundle is installed. */
export interface BundledCommand {
  readonly names: readonly string[];
  /** The sha256 of its program. */
  readonly module: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly begins: "folder" | "root";
  readonly script: Manifest["commands"][number]["script"];
}

/** What installed bundles bring to a shell. */
export interface BundledPrograms {
  /** The commands of every bundle whose signature holds now, and files that programs find, by absolute path. */
  read(signal: AbortSignal): Promise<{
    readonly commands: readonly BundledCommand[];
    readonly files: ReadonlyMap<string, Uint8Array>;
  }>;
  /** A program, when its bytes have been checked again. Rejects with a `BundlesError` or a `WasiError`. */
  module(sha256: string): Promise<PreparedModule>;
  /** The same as bytes, checked again, for who compiles it elsewhere. */
  bytes(sha256: string): Promise<{ readonly bytes: Uint8Array; readonly maxMemoryBytes: number }>;
}

/** Where programs find what their bundle provides. */
export const BUNDLE_FILES = "/opt/bundles";

export function commandsOf(manifest: Manifest): readonly BundledCommand[] {
  const hashes = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]));
  return manifest.commands.map(({ names, module, args, env, begins, script }) => ({
    names,
    module: hashes.get(module) ?? "",
    args,
    env,
    begins,
    script,
  }));
}
