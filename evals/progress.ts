/** Says on standard error how far a long step is, at most once a second. */
export function createProgress(what: string, total: number): (done: number) => void {
  let saidAtMs = 0;
  return (done) => {
    const nowMs = performance.now();
    if (nowMs - saidAtMs < 1_000) return;
    saidAtMs = nowMs;
    process.stderr.write(`  ${what}: ${done} of ${total}\n`);
  };
}
