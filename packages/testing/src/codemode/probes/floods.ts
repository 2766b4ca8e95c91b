import { denied, ok } from "../sandbox-harness.ts";
import type { ProbeFamily } from "./probe.ts";

const FEW = { maxCalls: 20, maxInFlight: 5 };

/** Many calls, calls that nothing awaits, and misplaced calls. */
export const floods: ProbeFamily = {
  name: "floods of calls",
  probes: [
    {
      title: "[C44] calls that nothing awaits never happen",
      code: "for (let i = 0; i < 100; i++) tools.a(i); return 'done'",
      ends: ["unawaited_calls"],
    },
    {
      title: "[C42] an endless flood ends at the limit, and never happens",
      code: "for (;;) tools.a(1)",
      limits: FEW,
      ends: ["call_limit"],
    },
    {
      title: "[C42] a flood whose errors are caught ends too",
      code: "for (;;) try { tools.a(1).catch(() => {}) } catch {}",
      limits: FEW,
      ends: ["call_limit"],
    },
    {
      title: "[C42] sequential calls count towards the total",
      code: "for (;;) await tools.a(1)",
      limits: { maxCalls: 3 },
      calls: ["a 1", "a 1", "a 1"],
      ends: ["call_limit"],
    },
    {
      title: "[C42] a self-feeding chain of calls ends too",
      code: "const again = () => tools.a(1).then(again); await again()",
      limits: { maxCalls: 3 },
      calls: ["a 1", "a 1", "a 1"],
      ends: ["call_limit"],
    },
    {
      title: "[C42] refused calls count",
      code: "for (;;) try { await tools.a(1) } catch {}",
      limits: { maxCalls: 2 },
      answer: () => denied,
      calls: ["a 1", "a 1"],
      ends: ["call_limit"],
    },
    {
      title: "[C42] arguments that cannot be sent make no calls, and do not bypass the limit",
      code: "let n = 0; for (let i = 0; i < 1000; i++) try { await tools.a(() => 1) } catch { n++ } return n",
      limits: FEW,
      ends: [{ returns: 1000 }],
    },
    {
      title: "[C44] a call left open behind others fails the cell",
      code: "const left = tools.a('left'); await tools.b.c(1); return 'done'",
      answer: (call) => (call.path === "a" ? undefined : ok(1)),
      calls: ['a "left"', "b.c 1"],
      ends: ["unawaited_calls"],
    },
    {
      title: "[C44] a call made after the end never happens",
      code: "Promise.resolve().then(() => {}).then(() => tools.a('late')); return 'done'",
      ends: ["unawaited_calls"],
    },
    {
      title: "[C44] a call in a finally that nothing awaits never happens",
      code: "try { return 'done' } finally { tools.a('finally') }",
      ends: ["unawaited_calls"],
    },
    {
      title: "[C44] a call beside an error never happens",
      code: "tools.a('beside'); throw new Error('x')",
      ends: ["threw", "unawaited_calls"],
    },
    {
      title: "[C45] an unhandled rejection fails the cell, even among many handled ones",
      code: `const all = []; for (let i = 0; i < 40; i++) all.push(Promise.reject(new Error("e" + i)));
        await null; for (let i = 0; i < 39; i++) all[i].catch(() => {}); return "done"`,
      ends: ["threw"],
    },
    {
      title: "[C45] completes if all of them are handled",
      code: `const all = []; for (let i = 0; i < 40; i++) all.push(Promise.reject(new Error("e" + i)));
        await null; for (const one of all) one.catch(() => {}); return "done"`,
      ends: [{ returns: "done" }],
    },
    {
      title: "[C45] an unhandled refused call fails the cell",
      code: "tools.a(1); await tools.b.c(2); return 'done'",
      answer: (call) => (call.path === "a" ? denied : ok(1)),
      calls: ["a 1", "b.c 2"],
      ends: ["threw"],
    },
    {
      title: "[C43] many concurrent inputs at their limit reach the host complete",
      code: "const big = 'x'.repeat(1e5); return (await Promise.all(Array.from({ length: 40 }, () => tools.a(big)))).length",
      limits: { maxInputBytes: 100_002, memoryBytes: 32 * 1024 * 1024 },
      answer: (call) => ok(call.inputJson.length),
      calls: Array.from({ length: 40 }, () => `a "${"x".repeat(1e5)}"`),
      ends: [{ returns: 40 }],
    },
  ],
};
