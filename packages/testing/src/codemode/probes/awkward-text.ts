import { ok, STARTED_AT_MS } from "../sandbox-harness.ts";
import type { ProbeFamily } from "./probe.ts";

/** NUL, lone surrogates, a byte order mark, a line separator, a pair, and what an engine says for no string. */
const AWKWARD = 'a\0b\uD800c\uDC00d\uFEFF\u2028\u{1F600}\u202E<null>\\"\u007F';
const LITERAL = JSON.stringify(AWKWARD);

/** Text that other systems cut, replace or normalise; here it arrives as it left. */
export const awkwardText: ProbeFamily = {
  name: "awkward text",
  probes: [
    {
      title: "[C32] in an input it arrives as JSON writes it",
      code: `return (await tools.a(${LITERAL})).echo === ${LITERAL}`,
      calls: [`a ${LITERAL}`],
      ends: [{ returns: true }],
    },
    {
      title: "[C32] so it does in the names of properties",
      code: `return (await tools.a({ [${LITERAL}]: 1 })).echo[${LITERAL}]`,
      calls: [`a {${LITERAL}:1}`],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C32] in a result it arrives as it is, escaped or not",
      code: `const r = await tools.a(); return [r.length, r[0] === r[1], r[0] === ${LITERAL}]`,
      answer: () => ({
        kind: "ok",
        json: `[${LITERAL},"${AWKWARD.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\0", "\\u0000")}"]`,
        atMs: STARTED_AT_MS,
      }),
      calls: ["a null"],
      ends: [{ returns: [2, true, true] }],
    },
    { title: "[C30] returned, it comes back", code: `return ${LITERAL}`, ends: [{ returns: AWKWARD }] },
    {
      title: "[C37] logged, it is a line",
      code: `console.log(${LITERAL}, "x"); console.log("<null>"); console.log(""); return 1`,
      logs: [`${AWKWARD} x`, "<null>", ""],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C33] in a failed call's code and message it is kept",
      code: `try { await tools.a() } catch (e) { return [e.code === ${LITERAL}, e.message === ${LITERAL}] }`,
      answer: () => ({ kind: "error", code: AWKWARD, message: AWKWARD, atMs: STARTED_AT_MS }),
      calls: ["a null"],
      ends: [{ returns: [true, true] }],
    },
    {
      title: "[C31] thrown, it fails the cell",
      code: `throw new Error(${LITERAL})`,
      ends: ["threw"],
    },
    {
      title: "[C43] sizes are those of the bytes, whatever the text",
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
      title: "[C43] a string of pairs one byte too long is too long",
      code: 'try { await tools.a("\\u{1F600}".repeat(25)) } catch {} return 1',
      limits: { maxInputBytes: 101 },
      ends: ["size_limit"],
    },
    {
      title: "[C32] numbers that JSON does not keep are what JSON makes of them",
      code: "return (await tools.a([NaN, Infinity, -0, 1e400, 0.1 + 0.2, 2 ** 53 + 2])).echo",
      calls: ["a [null,null,0,null,0.30000000000000004,9007199254740994]"],
      ends: [{ returns: [null, null, 0, null, 0.30000000000000004, 9007199254740994] }],
    },
    {
      title: "[C32] numbers in a result may be of any size",
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
