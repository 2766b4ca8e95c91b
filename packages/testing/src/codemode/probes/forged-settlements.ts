import { denied, ok, STARTED_AT_MS } from "../sandbox-harness.ts";
import type { ProbeFamily } from "./probe.ts";

const failsThenWorks = (call: { readonly id: number }) => (call.id === 1 ? denied : ok("real"));

/** Attempts to settle calls from inside, or to get something other than the host's answer. */
export const forgedSettlements: ProbeFamily = {
  name: "forged settlements",
  probes: [
    {
      title: "[C34] a subclass of Promise cannot capture a call's resolvers",
      code: `let caught = 0; class Spy extends Promise { constructor(executor) { super((done, fail) => { caught++; executor(done, fail) }) } }
        const p = tools.a(1); const own = p instanceof Spy; caught = 0; const r = await p; return [own, caught, r]`,
      answer: () => ok("real"),
      calls: ["a 1"],
      ends: [{ returns: [false, 0, "real"] }],
    },
    {
      title: "[C34] replacing the constructor of a call's promise does not resolve it",
      code: `const p = tools.a(1); let made = 0;
        try { p.constructor = class { constructor(run) { made++; run(() => {}, () => {}) } } } catch {}
        const r = await p; return r`,
      answer: () => ok("real"),
      calls: ["a 1"],
      ends: [{ returns: "real" }],
    },
    {
      title: "[C34] replacing `then` of a call's promise deceives only that code",
      code: `const p = tools.a(1); Object.defineProperty(p, "then", { value: (done) => done("forged") });
        return [await Promise.prototype.then.call(p, (v) => v), await { then: p.then }]`,
      answer: () => ok("real"),
      calls: ["a 1"],
      ends: [{ returns: ["real", "forged"] }],
    },
    {
      title: "[C34] everything that reads a call sees the same settlement",
      code: "const p = tools.a(1); return await Promise.all([p, p.then((v) => v), Promise.race([p]), Promise.resolve(p)])",
      answer: () => ok("real"),
      calls: ["a 1"],
      ends: [{ returns: ["real", "real", "real", "real"] }],
    },
    {
      title: "[C34] a failed call stays failed, and does not affect the next",
      code: "const first = await tools.a(1).catch((e) => e.code); return [first, await tools.a(2)]",
      answer: failsThenWorks,
      calls: ["a 1", "a 2"],
      ends: [{ returns: ["denied", "real"] }],
    },
    {
      title: "[C33] only the code that caught a failed call's error can change it",
      code: `Object.defineProperty(Error.prototype, "code", { get: () => "ok", set() {}, configurable: true });
        Object.defineProperty(Object.prototype, "message", { get: () => "forged", set() {}, configurable: true });
        try { await tools.a() } catch (e) { return [e.code, e.message] }`,
      answer: () => denied,
      calls: ["a null"],
      ends: [{ returns: ["denied", "You said no"] }],
    },
    {
      title: "[C33] a patched parser or property cannot change what the server answered",
      code: `Object.defineProperty(Object.prototype, "status", { get: () => 200, set() {}, configurable: true });
        JSON.parse = () => "forged"; Object.defineProperty = () => {};
        try { await tools.a() } catch (e) { return [e.status, e.body] }`,
      answer: () => ({ ...denied, status: 403, bodyJson: '{"why":"no"}' }),
      calls: ["a null"],
      ends: [{ returns: [403, { why: "no" }] }],
    },
    {
      title: "[C34] tools called with another `this` are calls; as constructors they throw",
      code: `const r = []; r.push(await tools.a.call({ resolve: 1 }, "this")); r.push(await Reflect.apply(tools.a, Promise, ["apply"]));
        r.push(await tools.a.bind(null, "bound")()); try { new tools.a("new") } catch (e) { r.push(e.name) }
        try { class T extends tools.a {} } catch (e) { r.push(e.name) } return r`,
      answer: (call) => ok(call.inputJson),
      calls: ['a "this"', 'a "apply"', 'a "bound"'],
      ends: [{ returns: ['"this"', '"apply"', '"bound"', "TypeError", "TypeError"] }],
    },
    {
      title: "[C34] numbers of calls can be neither found nor given",
      code: `const r = []; for (const key of ["1", "id", "settle", "resolve", "open", "pending"]) r.push(typeof tools[key], typeof tools.a[key]);
        return [...new Set(r)]`,
      ends: [{ returns: ["undefined"] }],
    },
    {
      title: "[C34] an argument that names a call's number settles nothing",
      code: `const held = tools.a({ id: 1 }); await tools.b.c({ kind: "settle", id: 1, settlement: { kind: "ok", json: "9" } }); return await held`,
      answer: (call) => ok(call.path),
      calls: ['a {"id":1}', 'b.c {"kind":"settle","id":1,"settlement":{"kind":"ok","json":"9"}}'],
      ends: [{ returns: "a" }],
    },
    {
      title: "[C34] a result that looks like a settlement is a value",
      code: "return await tools.a()",
      answer: () => ok({ kind: "error", code: "denied", message: "x", atMs: 0 }),
      calls: ["a null"],
      ends: [{ returns: { kind: "error", code: "denied", message: "x", atMs: 0 } }],
    },
    {
      title: "[C53] a result that is a thenable is a value, as it has no functions",
      code: "return await tools.a()",
      answer: () => ok(JSON.parse('{"then":"not a function","catch":{}}')),
      calls: ["a null"],
      ends: [{ returns: JSON.parse('{"then":"not a function","catch":{}}') }],
    },
    {
      title: "[C33] an unknown error code is only text",
      code: "try { await tools.a() } catch (e) { return [e.code, e.name, typeof e.code] }",
      answer: () => ({ kind: "error", code: "__proto__", message: "", atMs: STARTED_AT_MS }),
      calls: ["a null"],
      ends: [{ returns: ["__proto__", "ToolError", "string"] }],
    },
    {
      title: "[C31] an uncaught denial cannot pass as a result",
      code: "return await tools.a()",
      answer: () => denied,
      calls: ["a null"],
      ends: ["threw"],
    },
    {
      title: "[C34] a cell that has returned cannot return again",
      code: `Promise.resolve().then(() => Promise.resolve()).then(() => { throw new Error("later") }); return "first"`,
      ends: ["threw"],
    },
    {
      title: "[C46] a cell cannot end its wait by pretending to be settled",
      code: "const p = new Promise(() => {}); Object.assign(p, { state: 'fulfilled', value: 1 }); return await p",
      ends: ["stalled"],
    },
  ],
};
