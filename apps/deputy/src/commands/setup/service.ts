import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "../../app-error.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { describeFileFailure } from "../../file-failure.ts";
import type { Invocation } from "../../invocation.ts";
import { type ServiceFile, serviceFile, type ServiceKind } from "../../setup/service-file.ts";

interface ServiceOptions {
  readonly kind?: ServiceKind;
}

/** `deputy service print`: the file that keeps the daemon running, on stdout. */
export async function printService(invocation: Invocation, options: ServiceOptions): Promise<ExitCode> {
  const { output } = invocation;
  const { text, path, start } = fileFor(invocation, options.kind ?? ownKind() ?? "systemd");
  output.result(text.trimEnd());
  output.object({ type: "service", path, text, start });
  return EXIT.done;
}

/** `deputy service install`: writes it to its place; does not overwrite a different one. */
export async function installService(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const kind = ownKind();
  if (kind === undefined)
    throw new AppError("not_available", "There is no way to install a service on this system", {
      hint: "`deputy service print` shows what it would be elsewhere.",
    });
  const { path, text, start, stay } = fileFor(invocation, kind);
  if (existsSync(path) && readFileSync(path, "utf8") !== text)
    throw new AppError("file_unwritable", `${path} already exists, and is different`, {
      hint: "Remove it first; `deputy service print` shows what would be written.",
    });
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new AppError("file_unwritable", `Cannot write ${path}: ${describeFileFailure(cause)}`, { cause });
  }
  output.result(`${path} is written. Start it with:`);
  output.result(`  ${start}`);
  if (stay !== undefined) output.result(`It ends when you sign out, unless you say once: ${stay}`);
  output.object({ type: "service", path, start });
  return EXIT.done;
}

function fileFor({ env, homeDirectory: home }: Invocation, kind: ServiceKind): ServiceFile {
  const userHome = homedir();
  const { XDG_CONFIG_HOME } = env;
  const configHome = XDG_CONFIG_HOME || join(userHome, ".config");
  const [, launcher = ""] = process.argv;
  return serviceFile(kind, { command: [process.execPath, launcher], home }, { userHome, configHome });
}

function ownKind(): ServiceKind | undefined {
  if (process.platform === "darwin") return "launchd";
  return process.platform === "linux" ? "systemd" : undefined;
}
