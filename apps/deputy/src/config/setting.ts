import { z } from "zod";

/** A setting, with what it means. */
export function now<T extends z.ZodType>(schema: T, description: string): T {
  return schema.meta({ description });
}

/** A setting that others know and that changes nothing here: accepted and checked, without effect. */
export function later<T extends z.ZodType>(schema: T, description: string): T {
  return schema.meta({ description, later: true });
}

export const list = z.array(z.string().min(1)).default([]);
export const count = z.int().min(1);
export const switchedOff = z.boolean().default(false);
export const switchedOn = z.boolean().default(true);
