import { expect, test } from "vitest";
import { abortReason, CodedError, errorCodeOf, isAbort, throwIfAborted } from "./coded-error.ts";
import { KitError, kitErrorCodes } from "./keyed-lane.ts";

class DiskError extends CodedError<"disk_full" | "disk_gone"> {}

test("[K1] a coded error carries code, message, hint, cause and its class's name", () => {
  const cause = new Error("ENOSPC: /home/ada/secret");
  const error = new DiskError("disk_full", "The disk is full", { cause, hint: "Free some space" });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: "DiskError",
    code: "disk_full",
    message: "The disk is full",
    hint: "Free some space",
    cause,
  });
  expect(String(error)).not.toContain("secret");
});

test("[K1] without options there is no cause and no hint", () => {
  const error = new DiskError("disk_gone", "The disk is gone");
  expect(error.hint).toBeUndefined();
  expect(Object.hasOwn(error, "cause")).toBe(false);
});

test("[K2] every error has a code", () => {
  expect(errorCodeOf(new DiskError("disk_full", "full"))).toBe("disk_full");
  expect(errorCodeOf(new KitError("lane_full", "full"))).toBe("lane_full");
  expect(errorCodeOf(AbortSignal.abort().reason)).toBe("aborted");
  expect(errorCodeOf(new DOMException("late", "TimeoutError"))).toBe("aborted");
  for (const bug of [new Error("disk_full"), { code: "disk_full" }, "disk_full", undefined])
    expect(errorCodeOf(bug)).toBe("internal");
  expect(isAbort("AbortError")).toBe(false);
  expect(kitErrorCodes).toEqual(["lane_full", "pattern_invalid"]);
});

test("[K3] the reason of an abort is always an Error", () => {
  const shutdown = new Error("shutdown");
  expect(abortReason(AbortSignal.abort(shutdown))).toBe(shutdown);
  expect(isAbort(abortReason(AbortSignal.abort("stop")))).toBe(true);
  expect(isAbort(abortReason(AbortSignal.abort()))).toBe(true);
  expect(() => throwIfAborted(AbortSignal.abort("stop"))).toThrow(DOMException);
  expect(() => throwIfAborted(new AbortController().signal)).not.toThrow();
});
