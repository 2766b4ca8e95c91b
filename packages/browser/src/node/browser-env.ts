/** What a browser needs of the environment to start and to show a window. */
const PASSED: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS",
  // Windows does without none of these.
  "SYSTEMROOT",
  "WINDIR",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
]);

/** The environment of a browser: no key or token that Deputy was started with, and no switches for the browser. */
export function browserEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (PASSED.has(name.toUpperCase()) || /^(?:LC|XDG)_[A-Z_]+$/.test(name)))
      passed[name] = value;
  return passed;
}
