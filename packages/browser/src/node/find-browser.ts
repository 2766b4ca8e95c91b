import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { ToolsError } from "@deputy/tools";

export interface BrowserPlace {
  /** The path from the settings. It is preferred to all others. */
  readonly configured?: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

const NAMES = [
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "microsoft-edge-stable",
  "microsoft-edge",
];
const MAC_APPS = ["Google Chrome", "Chromium", "Microsoft Edge"];
const WINDOWS_PROGRAMS = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
];

/** The program of a Chrome, Chromium or Edge that is installed. Rejects with `browser_not_found`. */
export async function findBrowser(place: BrowserPlace): Promise<string> {
  const { configured } = place;
  const places = configured === undefined ? knownPlaces(place) : [configured];
  for (const path of places) if (isAbsolute(path) && (await canRun(path))) return path;
  if (configured !== undefined)
    throw new ToolsError("browser_not_found", `tools.browser.path names no program: ${configured}`);
  throw new ToolsError("browser_not_found", "There is no Chrome, Chromium or Edge on this machine", {
    hint: "Install one, or name its program in tools.browser.path.",
  });
}

function knownPlaces({ platform, env }: BrowserPlace): readonly string[] {
  const { HOME, PATH = "" } = env;
  if (platform === "darwin") {
    const folders = ["/Applications", ...(HOME === undefined ? [] : [join(HOME, "Applications")])];
    return folders.flatMap((folder) => MAC_APPS.map((app) => `${folder}/${app}.app/Contents/MacOS/${app}`));
  }
  if (platform === "win32") {
    const roots = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) => env[name]);
    return roots.flatMap((root) =>
      root === undefined ? [] : WINDOWS_PROGRAMS.map((program) => join(root, program)),
    );
  }
  const folders = [...PATH.split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"];
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
