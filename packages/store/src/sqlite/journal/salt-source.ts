import { randomBytes } from "node:crypto";

const SALT_CHARS = 32;
const POOL_BYTES = 4096;

/** 128 random bits in hex per call; asks the system for many at a time. */
export function createSaltSource(): () => string {
  let pool = "";
  let next = 0;
  return () => {
    if (next === pool.length) {
      pool = randomBytes(POOL_BYTES).toString("hex");
      next = 0;
    }
    next += SALT_CHARS;
    return pool.slice(next - SALT_CHARS, next);
  };
}
