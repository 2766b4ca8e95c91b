import { encodeText as encode } from "../../packages/shell/src/text/bytes.ts";
import type { ExternalCommand } from "@deputy/shell";

// The programs of `spec/bin` are in Python 2. These do the same: once for bash, once for our shell.

const PYTHON = "#!/usr/bin/env python3\nimport os, sys\nout = sys.stdout.buffer\n";

/** For bash, by name: programs in Python 3. */
export const helperFiles: Readonly<Record<string, string>> = {
  "argv.py": `${PYTHON}def show(arg):
  text = repr(os.fsencode(arg))[1:]
  return text
out.write(("[" + ", ".join(show(arg) for arg in sys.argv[1:]) + "]\\n").encode())
`,
  "printenv.py": `${PYTHON}for name in sys.argv[1:]:
  value = os.environb.get(os.fsencode(name))
  out.write((b"None" if value is None else value) + b"\\n")
`,
  "stdout_stderr.py": `${PYTHON}args = sys.argv[1:] + ["STDOUT", "STDERR", "0"][len(sys.argv) - 1:]
out.write(os.fsencode(args[0]) + b"\\n")
out.flush()
sys.stderr.buffer.write(os.fsencode(args[1]) + b"\\n")
sys.exit(int(args[2]))
`,
  "read_from_fd.py": `${PYTHON}for arg in sys.argv[1:]:
  try:
    text = os.read(int(arg), 1024)
  except OSError as e:
    print("FATAL: Error reading from fd %s: %s" % (arg, e), file=sys.stderr)
    sys.exit(1)
  out.write(arg.encode() + b": " + text)
`,
};

/** For our shell, by name. */
export const helperCommands: ReadonlyMap<string, ExternalCommand["run"]> = new Map<
  string,
  ExternalCommand["run"]
>([
  [
    "argv.py",
    async ({ argv, stdout }) => {
      await stdout.write(encode(`[${argv.slice(1).map(show).join(", ")}]\n`));
      return 0;
    },
  ],
  [
    "printenv.py",
    async ({ argv, env, stdout }) => {
      for (const name of argv.slice(1)) await stdout.write(encode(`${env[name] ?? "None"}\n`));
      return 0;
    },
  ],
  [
    "stdout_stderr.py",
    async ({ argv: [, out = "STDOUT", error = "STDERR", status = "0"], stdout, stderr }) => {
      await stdout.write(encode(`${out}\n`));
      await stderr.write(encode(`${error}\n`));
      return Number(status);
    },
  ],
  [
    "read_from_fd.py",
    async ({ argv, descriptors, stdout, stderr }) => {
      for (const arg of argv.slice(1)) {
        const channel = descriptors.get(Number(arg));
        if (channel?.readable !== true) {
          await stderr.write(encode(`FATAL: Error reading from fd ${arg}: [Errno 9] Bad file descriptor\n`));
          return 1;
        }
        await stdout.write(Buffer.concat([encode(`${arg}: `), await channel.read(1_024)]));
      }
      return 0;
    },
  ],
]);

/** As Python 2 shows a string. */
function show(text: string): string {
  const latin = Buffer.from(encode(text)).toString("latin1");
  const quote = latin.includes("'") && !latin.includes('"') ? '"' : "'";
  const body = latin.replaceAll(/[^\x20-\x7e]|['"\\]/g, (found) => {
    if (found === "\n") return "\\n";
    if (found === "\t") return "\\t";
    if (found === "\r") return "\\r";
    if (found === "\\" || found === quote) return `\\${found}`;
    if (found === "'" || found === '"') return found;
    return `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return quote + body + quote;
}
