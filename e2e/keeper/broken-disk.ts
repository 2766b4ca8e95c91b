import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** False where one process may not trace another: on many machines only root may. */
export const CAN_BREAK_DISKS = canAttach();

/** From now on every sync that the process asks for is refused, as by a broken disk, until this is disposed of. */
export async function refuseSyncs(pid: number): Promise<AsyncDisposable> {
  const calls = "fsync,fdatasync";
  const strace = spawn(
    "strace",
    ["-p", String(pid), "-e", `trace=${calls}`, "-e", `inject=${calls}:error=EIO`, "-o", "/dev/null"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = once(strace, "exit");
  await new Promise<void>((resolve, reject) => {
    let said = "";
    strace.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("attached")) resolve();
    });
    strace.once("exit", () => reject(new Error(`strace ended: ${said}`)));
  });
  return {
    async [Symbol.asyncDispose]() {
      strace.kill("SIGINT");
      await exited;
    },
  };
}

function canAttach(): boolean {
  const script =
    "sleep 5 & strace -p $! -o /dev/null -e trace=fsync & sleep 0.3; kill -0 %2 && kill -INT %2; kill %1";
  const probe = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  return probe.status === 0 && probe.stderr.includes("attached");
}
