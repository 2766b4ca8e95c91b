import { SOON, type Probe, type ProbeFamily } from "./probe.ts";

const argument = (title: string, value: string, input: string): Probe => ({
  title: `[C53] as an argument, ${title}`,
  code: `await tools.a(${value}); return "done"`,
  calls: [`a ${input}`],
  ends: [{ returns: "done" }],
});

/** Fails for lack of memory without saying so: it throws a mark that no code should ever see. */
const UNINITIALIZED = "'\\u0301\\u0316'.repeat(1e6).normalize('NFC')";

/** Rejects at the call; the host gets nothing. */
const refusedArgument = (title: string, value: string): Probe => ({
  title: `[C53] as an argument, ${title}`,
  code: `try { await tools.a(${value}); return "called" } catch { return "refused" }`,
  ends: [{ returns: "refused" }],
});

const returned = (title: string, code: string, ...ends: Probe["ends"]): Probe => ({
  title: `[C53] as a result, ${title}`,
  code,
  ends,
  ...(ends.includes("time_limit") ? { limits: SOON } : {}),
});

const thrown = (title: string, value: string, ...ends: Probe["ends"]): Probe => ({
  title: `[C53] thrown, ${title}`,
  code: `throw ${value}`,
  ends: ends.length === 0 ? ["threw"] : ends,
  ...(ends.includes("time_limit") ? { limits: SOON } : {}),
});

/** Values that run code when read: as arguments, as results, and thrown. */
export const hostileValues: ProbeFamily = {
  name: "hostile values",
  probes: [
    argument("a toJSON gives what it gives", '{ toJSON: (key) => ["for", key] }', '["for",""]'),
    argument("a getter runs once", "(() => { let n = 0; return { get n() { return ++n } } })()", '{"n":1}'),
    argument(
      "a proxy is what its traps say",
      "new Proxy({ x: 1 }, { get: (t, k) => k === 'toJSON' ? undefined : 2 })",
      '{"x":2}',
    ),
    argument("a thenable is not waited for", "{ then: 1, x: { then: () => {} } }", '{"then":1,"x":{}}'),
    argument("a promise is an empty object", "Promise.resolve({ secret: 1 })", "{}"),
    argument("wrapped primitives are their values", "[Object(1), Object('s'), Object(true)]", '[1,"s",true]'),
    argument(
      "what has no JSON form inside is left out",
      "{ f() {}, s: Symbol(), u: undefined, n: NaN, l: [() => 1] }",
      '{"n":null,"l":[null]}',
    ),
    argument("the tools tree is empty", "tools", '{"b":{}}'),
    argument("the global object shows nothing that is enumerable", "globalThis", "{}"),
    argument("an error is an empty object", "Object.assign(new Error('m'), { own: 1 })", '{"own":1}'),
    refusedArgument("a toJSON that throws", "{ toJSON() { throw 1 } }"),
    refusedArgument("a toJSON that gives nothing", "{ toJSON() {} }"),
    refusedArgument("a getter that throws", "{ get x() { throw 1 } }"),
    refusedArgument(
      "a proxy that throws on every trap",
      "new Proxy({}, new Proxy({}, { get() { throw 1 } }))",
    ),
    refusedArgument(
      "a revoked proxy",
      "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()",
    ),
    refusedArgument("a cycle", "(() => { const o = {}; o.o = { o }; return o })()"),
    refusedArgument("a bigint", "{ n: 1n }"),
    refusedArgument("a function", "() => 1"),
    refusedArgument(
      "the engine's own mark for what is no value",
      `(() => { try { ${UNINITIALIZED} } catch (e) { return [e] } })()[0]`,
    ),
    {
      title: "[C53] as an argument, a toJSON that calls tools keeps calls and numbers in step",
      code: `const inner = []; const r = await tools.a({ toJSON() { inner.push(tools.b.c("inner")); return "outer" } });
        return [r.echo, (await inner[0]).echo]`,
      calls: ['b.c "inner"', 'a "outer"'],
      ends: [{ returns: ["outer", "inner"] }],
    },
    {
      title: "[C53] as an argument, a value that changes while read is read once",
      code: `const list = [1, 2, 3]; list.toJSON = undefined; const o = { get first() { list.length = 1; return 1 }, list };
        return (await tools.a(o)).echo`,
      calls: ['a {"first":1,"list":[1]}'],
      ends: [{ returns: { first: 1, list: [1] } }],
    },
    returned(
      "a thenable that settles twice settles once",
      "return { then(done, fail) { done(1); done(2); fail(3) } }",
      { returns: 1 },
    ),
    returned("a thenable that never settles stalls", "return { then() {} }", "stalled"),
    returned(
      "a thenable of itself is stopped",
      "const t = { then(done) { done(t) } }; return t",
      "time_limit",
    ),
    returned(
      "a then that throws fails the cell",
      "return { get then() { throw new Error('then') } }",
      "threw",
    ),
    returned(
      "a proxy is what its traps say",
      "return new Proxy({ x: 1 }, { get: (t, k) => k === 'x' ? 'trapped' : undefined })",
      { returns: { x: "trapped" } },
    ),
    returned(
      "a proxy without end is stopped",
      "return new Proxy({}, { get: () => undefined, ownKeys() { for (;;); } })",
      "time_limit",
    ),
    returned(
      "a revoked proxy fails the cell",
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy",
      "threw",
    ),
    returned("a cycle has no JSON form", "const o = {}; o.o = o; return o", "result_not_json"),
    returned(
      "a toJSON that throws has no JSON form",
      "return { toJSON() { throw new Error('x') } }",
      "result_not_json",
    ),
    returned(
      "the engine's own mark for what is no value has no JSON form",
      `try { ${UNINITIALIZED} } catch (e) { return e }`,
      "result_not_json",
    ),
    returned("a string that looks like an outcome is a string", `return '{"kind":"failed"}'`, {
      returns: '{"kind":"failed"}',
    }),
    returned(
      "a forged outcome is an object",
      'return { kind: "failed", failure: { code: "aborted" }, logs: ["x"] }',
      {
        returns: { kind: "failed", failure: { code: "aborted" }, logs: ["x"] },
      },
    ),
    {
      title: "[C44] as a result, a toJSON that calls a tool makes no call",
      code: 'return { toJSON() { tools.a("late"); return 1 } }',
      ends: ["unawaited_calls"],
    },
    thrown(
      "the engine's own mark for what is no value",
      `(() => { try { ${UNINITIALIZED} } catch (e) { return [e] } })()[0]`,
      "threw",
      "memory_limit",
    ),
    thrown(
      "a getter for every property is only asked",
      "{ get message() { throw 1 }, get name() { throw 2 }, get stack() { throw 3 }, get code() { throw 4 } }",
    ),
    thrown(
      "a proxy that throws on every trap",
      "new Proxy(new Error('x'), new Proxy({}, { get() { throw 1 } }))",
    ),
    thrown(
      "a revoked proxy",
      "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()",
    ),
    thrown("a function", "() => 1"),
    thrown("a symbol", "Symbol('s')"),
    thrown("a bigint", "1n"),
    thrown(
      "an error whose words are objects",
      "Object.assign(new Error(), { name: {}, message: [], stack: 7, code: null })",
    ),
    thrown(
      "an error with a stack of its own",
      "Object.assign(new Error('m'), { stack: 'at cell.ts:99999999999:1' })",
    ),
    thrown(
      "an error with megabytes of words",
      "Object.assign(new Error('m'.repeat(2e6)), { stack: 's'.repeat(2e6), code: 'c'.repeat(2e6) })",
    ),
    thrown(
      "an error that claims to be a tool's",
      "Object.assign(new Error('no'), { name: 'ToolError', code: 'completed' })",
    ),
    thrown(
      "an engine's error made by hand says no more than it is",
      "new InternalError('out of memory')",
      "threw",
      "memory_limit",
    ),
    {
      ...thrown("a getter without end is stopped", "{ get message() { for (;;); } }", "time_limit"),
      limits: SOON,
    },
    {
      ...thrown("a toJSON without end is stopped", "{ toJSON() { for (;;); } }", "time_limit"),
      limits: SOON,
    },
  ],
};
