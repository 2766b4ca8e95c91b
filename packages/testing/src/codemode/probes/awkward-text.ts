import { ok, STARTED_AT_MS } from "../sandbox-harness.ts";
import type { ProbeFamily } from "./probe.ts";

/**
 * NUL, lone surrogates, a byte order mark, a line separator, a pair, and the engine's mark for a missing
 * string.
 */
const AWKWARD = 'a\0b\uD800c\uDC00d\uFEFF\u2028\u{1F600}\u202E<null>\\"\u007F';
const LITERAL = JSON.stringify(AWKWARD);

/** Text that other systems cut, replace or normalise; here it arrives unchanged. */
export const awkwardText: ProbeFamily = {
  name: "awkward text",
  probes: [
    {
      title: "[C32] arrives in an input as JSON writes it",
      code: `return (await tools.a(${LITERAL})).echo === ${LITERAL}`,
      calls: [`a ${LITERAL}`],
      ends: [{ returns: true }],
    },
    {
      title: "[C32] arrives the same in names of properties",
      code: `return (await tools.a({ [${LITERAL}]: 1 })).echo[${LITERAL}]`,
      calls: [`a {${LITERAL}:1}`],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C32] arrives unchanged in a result, escaped or not",
      code: `const r = await tools.a(); return [r.length, r[0] === r[1], r[0] === ${LITERAL}]`,
      answer: () => ({
        kind: "ok",
        json: `[${LITERAL},"${AWKWARD.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\0", "\\u0000")}"]`,
        atMs: STARTED_AT_MS,
      }),
      calls: ["a null"],
      ends: [{ returns: [2, true, true] }],
    },
    { title: "[C30] comes back when returned", code: `return ${LITERAL}`, ends: [{ returns: AWKWARD }] },
    {
      title: "[C37] is a line when logged",
      code: `console.log(${LITERAL}, "x"); console.log("<null>"); console.log(""); return 1`,
      logs: [`${AWKWARD} x`, "<null>", ""],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C33] is kept in a failed call's code and message",
      code: `try { await tools.a() } catch (e) { return [e.code === ${LITERAL}, e.message === ${LITERAL}] }`,
      answer: () => ({ kind: "error", code: AWKWARD, message: AWKWARD, atMs: STARTED_AT_MS }),
      calls: ["a null"],
      ends: [{ returns: [true, true] }],
    },
    {
      title: "[C31] fails the cell when thrown",
      code: `throw new Error(${LITERAL})`,
      ends: ["threw"],
    },
    {
      title: "[C43] counts sizes in bytes, for any text",
      code: `const sizes = []; for (const text of ["\\0".repeat(50), "\\ud800".repeat(30), "\\u{1F600}".repeat(40), "é".repeat(70)]) {
          try { await tools.a(text); sizes.push("fits") } catch (e) { sizes.push(e.message) } } return sizes`,
      limits: { maxInputBytes: 310 },
      answer: () => ok(null),
      calls: [
        `a ${JSON.stringify("\0".repeat(50))}`,
        `a ${JSON.stringify("\uD800".repeat(30))}`,
        `a ${JSON.stringify("\u{1F600}".repeat(40))}`,
        `a ${JSON.stringify("é".repeat(70))}`,
      ],
      ends: [{ returns: ["fits", "fits", "fits", "fits"] }],
    },
    {
      title: "[C43] refuses a string of surrogate pairs that is one byte too long",
      code: 'try { await tools.a("\\u{1F600}".repeat(25)) } catch {} return 1',
      limits: { maxInputBytes: 101 },
      ends: ["size_limit"],
    },
    {
      title: "[C32] converts numbers that JSON cannot keep as JSON does",
      code: "return (await tools.a([NaN, Infinity, -0, 1e400, 0.1 + 0.2, 2 ** 53 + 2])).echo",
      calls: ["a [null,null,0,null,0.30000000000000004,9007199254740994]"],
      ends: [{ returns: [null, null, 0, null, 0.30000000000000004, 9007199254740994] }],
    },
    {
      title: "[C32] accepts numbers of any size in a result",
      code: "return await tools.a()",
      answer: () => ({
        kind: "ok",
        json: "[1e999,-1e999,123456789012345678901234567890,1e-999]",
        atMs: STARTED_AT_MS,
      }),
      calls: ["a null"],
      ends: [{ returns: [null, null, 1.2345678901234568e29, 0] }],
    },
  ],
};
