import type {
  CommandLimits,
  OuterSandbox,
  SandboxMount,
  SandboxOrder,
  SandboxedCommand,
} from "@deputy/tools";

/**
 * Where commands run: a sandbox, and what the settings say of it. Each question about a command shows it, and it is
 * never lowered silently.
 */
export interface CommandPlace {
  /** The sandbox's name. */
  readonly name: string;
  /** What a command can reach, described for the user. */
  readonly reach: string;
  /**
   * True when a command can change nothing but the workspace and reach nobody, so that whatever it runs does no harm
   * before the user has reviewed it.
   */
  readonly contains: boolean;
  /** True when processes that a command leaves behind always end with it. */
  readonly endsProcesses: boolean;
  readonly limits: CommandLimits;
  readonly handOver: OuterSandbox["handOver"];
  start(job: PlaceJob): { readonly order: SandboxOrder; readonly command: SandboxedCommand };
  /** The name inside of what lies there on this machine; a sandbox that shows all leaves every name as it is. */
  nameOf(from: string, inside: string): string;
}

export interface PlaceJob {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** On top of what the settings mount. */
  readonly mounts: readonly SandboxMount[];
  /** `none`: neither the folders nor the network that the settings give to commands. */
  readonly terms?: "none";
  /** No file becomes longer than that, if the settings allow more. */
  readonly fileBytes?: number | undefined;
}

/** What the settings say of every command. */
export interface PlaceTerms {
  readonly network: "none" | "host";
  /** Paths that are visible in addition to the system's own, to read or to write. */
  readonly mounts: readonly SandboxMount[];
  /** Always hidden, whatever else is visible: Deputy's home. */
  readonly hidden: readonly string[];
  readonly limits: CommandLimits;
}

/** `unkept`: limits of which was seen that they are not kept here. */
export function createPlace(
  sandbox: OuterSandbox,
  terms: PlaceTerms,
  unkept: ReadonlySet<string> = new Set(),
  why?: string,
): CommandPlace {
  const { name, promises } = sandbox;
  const isView = promises.files === "view";
  const hasNoNetwork = promises.network === "as_ordered" && terms.network === "none";
  const limits = describeLimits(sandbox, terms.limits, unkept);
  return {
    name,
    reach: `${describeView(sandbox, terms, why)} ${limits}`,
    // In a folder that the settings add, there may be a socket of another program.
    contains: isView && hasNoNetwork && terms.mounts.length === 0,
    endsProcesses: promises.endsProcesses,
    handOver: sandbox.handOver,
    nameOf: (from, inside) => (isView ? inside : from),
    limits: terms.limits,
    start({ file, args, env, cwd, mounts, fileBytes, terms: given }) {
      const limited = {
        ...terms.limits,
        fileBytes: Math.min(terms.limits.fileBytes, fileBytes ?? Number.MAX_SAFE_INTEGER),
      };
      const order: SandboxOrder = {
        ...limitEachProcess({ file, args }, limited, sandbox),
        env: isView ? { ...env, ...OWN_HOME } : env,
        cwd,
        mounts: isView ? [...(given === "none" ? [] : terms.mounts), ...mounts] : [],
        hidden: isView ? terms.hidden : [],
        network: given === "none" ? "none" : terms.network,
        limits: limited,
      };
      return { order, command: sandbox.enter(order) };
    },
  };
}

/** In a view, there is no home of anybody, and an empty `/tmp`. */
const OWN_HOME = { HOME: "/tmp", TMPDIR: "/tmp", USER: "deputy", LOGNAME: "deputy" };

function describeView({ name, promises }: OuterSandbox, terms: PlaceTerms, why: string | undefined): string {
  if (promises.files === "all") {
    const because = why === undefined ? "" : ` (it does not work here: ${why})`;
    const what = name === "none" ? `No sandbox${because}` : `In ${name}, which hides nothing`;
    return `${what}: it can read and change everything that you can, Deputy's home included, and use the network.`;
  }
  const { note } = promises;
  const others =
    terms.mounts.length === 0
      ? ""
      : `, and the folders that your settings add${note === undefined ? "" : " as far as that user may"}`;
  const hasNetwork = promises.network === "always" || terms.network === "host";
  const who = note === undefined ? "it " : `${note}, `;
  return `In a sandbox (${name}): ${who}can read the system's programs, change only the workspace${others}, and use ${hasNetwork ? "the network" : "no network"}.`;
}

/** What is kept, and what is not, in one sentence. */
function describeLimits(
  { promises }: OuterSandbox,
  { cpuMs, memoryBytes, processes, fileBytes }: CommandLimits,
  unkept: ReadonlySet<string>,
): string {
  const isTogether = (what: "memory" | "processes" | "cpu"): boolean => promises.together.includes(what);
  const amounts = [
    { name: "cpu", text: describeTime(cpuMs), together: isTogether("cpu") },
    { name: "memory", text: `${describeBytes(memoryBytes)} of memory`, together: isTogether("memory") },
    { name: "files", text: `${describeBytes(fileBytes)} for each file`, together: true },
  ].filter(({ name }) => !unkept.has(name));
  const counted = isTogether("processes") || (promises.countsApart && !unkept.has("processes"));
  const each = amounts.filter(({ together }) => !together).map(({ text }) => text);
  const all = amounts.filter(({ together }) => together).map(({ text }) => text);
  const said = [
    ...(counted ? [`${processes} processes`] : []),
    ...(each.length === 0 ? [] : [`for each process ${each.join(" and ")}`]),
    ...all,
  ];
  return said.length === 0 ? "Nothing limits it but its time and its output." : `Limits: ${said.join(", ")}.`;
}

function describeTime(ms: number): string {
  return ms >= 120_000
    ? `${Math.round(ms / 60_000)} min of computing`
    : `${Math.ceil(ms / 1_000)} s of computing`;
}

function describeBytes(bytes: number): string {
  return bytes >= 1024 ** 3
    ? `${Number((bytes / 1024 ** 3).toFixed(1))} GB`
    : `${Math.round(bytes / 1024 ** 2)} MB`;
}

/**
 * Sets what the system limits for each process, and then becomes the command. A limit that is lower already stays. What
 * can be set here, the probe has seen; without a limit for files, nothing is run.
 */
function limitEachProcess(
  { file, args }: Pick<SandboxOrder, "file" | "args">,
  { cpuMs, memoryBytes, processes, fileBytes }: CommandLimits,
  { promises }: OuterSandbox,
): Pick<SandboxOrder, "file" | "args"> {
  const seconds = Math.ceil(cpuMs / 1_000);
  const limits: readonly (readonly [string, number])[] = [
    ["-f", Math.ceil(fileBytes / 1_024)],
    // First a signal that says why, then the end.
    ["-St", seconds],
    ["-Ht", seconds + 2],
    ["-d", Math.ceil(memoryBytes / 1_024)],
    ...(promises.countsApart ? [["-u", processes] as const] : []),
  ];
  const pairs = limits.flatMap(([option, value]) => [option, String(value)]);
  return { file: "bash", args: ["-c", SET_LIMITS, "bash", String(limits.length), ...pairs, file, ...args] };
}

const SET_LIMITS = `
n=$1; shift
while [ "$n" -gt 0 ]; do
  ulimit "$1" "$2" 2>/dev/null || [ "$1" != -f ] || [ "$(ulimit -f)" != unlimited ] || exit 126
  n=$((n - 1)); shift 2
done
exec "$@"`;
