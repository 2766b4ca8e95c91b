/**
 * Trusted JavaScript that runs in every VM before the cell's code, compiled to bytecode without its
 * source. Rules for editing it, because untrusted code may since have replaced any built-in:
 * - take built-ins into constants at the top; later, call nothing through a prototype or a global;
 * - no spread, no for-of, no array destructuring after start (they go through iterators), no template literals (they go through `concat`);
 * - tables and property descriptors have no prototype; host functions are called directly and stay inside this closure.
 *
 * Its value is a function of (call, log, done) that gives { open, run, settle, fail, firstOpenStack }.
 * `call` answers true when it took the call. A VM is kept as an image once that function was called;
 * `open` then makes a copy of it the VM of one cell.
 */
export const PRELUDE = `(function (hostCall, hostLog, hostDone) {
  "use strict";
  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze, getPrototypeOf } = Object;
  const { apply } = Reflect;
  const { imul } = Math;
  const { captureStackTrace, isError } = Error;
  const NativePromise = Promise, NativeError = Error, NativeTypeError = TypeError;
  const internalErrorPrototype = InternalError.prototype;
  const rangeErrorPrototype = RangeError.prototype, syntaxErrorPrototype = SyntaxError.prototype;
  const sliceString = String.prototype.slice, symbolToString = Symbol.prototype.toString;

  // Guest code must not observe or forge settlements, or run code while an Error is made.
  freeze(NativePromise);
  freeze(NativePromise.prototype);
  delete NativeError.prepareStackTrace;
  delete NativeError.stackTraceLimit;
  freeze(NativeError);
  // An error in its callback would reject no promise.
  delete globalThis.queueMicrotask;

  const readText = (object, key) => {
    try {
      const value = object[key];
      return typeof value === "string" ? value : "";
    } catch {
      return "";
    }
  };
  const show = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "symbol") return apply(symbolToString, value, []);
    if (typeof value === "function") return "[function]";
    if (typeof value !== "object" || value === null) return "" + value;
    if (isError(value)) return headline(value);
    try {
      const json = stringify(value);
      return typeof json === "string" ? json : "[object]";
    } catch {
      return "[object]";
    }
  };
  const headline = (error) => {
    const name = readText(error, "name"), message = readText(error, "message"), code = readText(error, "code");
    const text = name === "" || name === "Error" || name === "ToolError" ? message : name + ": " + message;
    return code === "" ? text : text + " [" + code + "]";
  };
  const clip = (text) => apply(sliceString, text, [0, 4000]);
  const limitOf = (error) => {
    try {
      const prototype = getPrototypeOf(error), message = readText(error, "message");
      const isInternal = prototype === internalErrorPrototype, isSyntax = prototype === syntaxErrorPrototype;
      if (isInternal && (message === "out of memory" || message === "string too long" || message === "out of memory in regexp execution")) return "memory_limit";
      if (isSyntax && message === "out of memory") return "memory_limit";
      if (isSyntax && message === "stack overflow") return "stack_limit";
      if (prototype === rangeErrorPrototype && message === "Maximum call stack size exceeded") return "stack_limit";
    } catch {}
    return "threw";
  };
  const fail = (error) => {
    const isObject = (typeof error === "object" && error !== null) || typeof error === "function";
    if (!isObject) hostDone("threw", clip(show(error)), "");
    else hostDone(limitOf(error), clip(show(error)), clip(readText(error, "stack")));
  };

  let lastId = 0;
  const pending = create(null);
  const makeTool = (path) => {
    const tool = (...values) =>
      new NativePromise((resolve, reject) => {
        const error = new NativeError();
        captureStackTrace(error, tool);
        if (values.length > 1) throw new NativeTypeError("tools." + path + " takes one argument");
        const json = values.length === 0 || values[0] === undefined ? "null" : stringify(values[0]);
        if (typeof json !== "string") throw new NativeTypeError("The argument of tools." + path + " is not JSON");
        // Nothing may fail between the host taking the call and both sides having the same number for it.
        const id = lastId + 1;
        pending[id] = { __proto__: null, resolve, reject, error };
        if (!hostCall(id, path, json)) throw new NativeError("The cell has reached a limit");
        lastId = id;
      });
    return tool;
  };
  const field = (value) => ({ __proto__: null, value, writable: true, configurable: true });
  const settle = (id, isOk, text, code, status, bodyJson) => {
    const call = pending[id];
    if (call === undefined) return;
    delete pending[id];
    let value;
    try {
      if (isOk) value = parse(text);
      else if (bodyJson !== "") value = parse(bodyJson);
    } catch (error) {
      call.reject(error);
      return;
    }
    if (isOk) {
      call.resolve(value);
      return;
    }
    defineProperty(call.error, "name", field("ToolError"));
    defineProperty(call.error, "message", field(text));
    defineProperty(call.error, "code", field(code));
    if (status !== 0) defineProperty(call.error, "status", field(status));
    if (bodyJson !== "") defineProperty(call.error, "body", field(value));
    call.reject(call.error);
  };
  const firstOpenStack = () => {
    for (const id in pending) return clip(readText(pending[id].error, "stack"));
    return "";
  };

  const run = async (cell) => {
    let json, isJson = true;
    if (typeof cell !== "function") {
      hostDone("syntax", "The code closes the function that it is the body of", "");
      return;
    }
    try {
      const value = await cell();
      try {
        json = stringify(value);
        isJson = value === undefined || typeof json === "string";
      } catch (error) {
        hostDone(limitOf(error) === "threw" ? "result_not_json" : limitOf(error), clip(show(error)), "");
        return;
      }
    } catch (error) {
      fail(error);
      return;
    }
    if (isJson) hostDone("completed", json, "");
    else hostDone("result_not_json", "The result is not JSON", "");
  };

  let maxLogChars = 0;
  const write = (...values) => {
    let line = "";
    for (let i = 0; i < values.length; i++) line += (i === 0 ? "" : " ") + show(values[i]);
    hostLog(apply(sliceString, line, [0, maxLogChars]));
  };

  let state = 0;
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const random = () => (draw() * 2097152 + (draw() >>> 11)) / 9007199254740992;

  // A branch is [path or null, name, branch, name, branch, …] and is unpacked when first touched.
  const unpack = (branch) => {
    const value = branch[0] === null ? create(null) : makeTool(branch[0]);
    for (let i = 1; i < branch.length; i += 2) {
      defineProperty(value, branch[i], { __proto__: null, value: unpack(branch[i + 1]), enumerable: true });
    }
    return freeze(value);
  };
  const console = freeze({ log: write, info: write, warn: write, error: write, debug: write });
  defineProperty(globalThis, "console", { value: console });
  defineProperty(Math, "random", { value: random, writable: true, configurable: true });
  const open = (toolsJson, seed, logChars) => {
    const root = create(null);
    for (const [name, branchJson] of parse(toolsJson)) {
      let value;
      const get = () => (value ??= unpack(parse(branchJson)));
      defineProperty(root, name, { __proto__: null, get, enumerable: true });
    }
    defineProperty(globalThis, "tools", { value: freeze(root) });
    state = seed >>> 0;
    maxLogChars = logChars;
  };
  return { __proto__: null, open, run, settle, fail, firstOpenStack };
})`;
