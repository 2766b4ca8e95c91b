// Replaces parts of Workflow DevKit that are never called here, see `stubs-of.ts`. Imports nothing.
const refuse = (): never => {
  throw new Error("Workflow DevKit asked for a World before it was given one");
};
export const createLocalWorld = refuse;
export const createVercelWorld = refuse;

/** The callers await this work themselves. */
export const waitUntil = (): void => undefined;

/** Needed only for webhook addresses, which are not used; finding it costs more than a step. */
export const getPort = async (): Promise<number> => 0;

/** Workflow DevKit writes to the console; everything that matters is in its events. */
const quiet = { debug: (): void => {}, info: (): void => {}, warn: (): void => {}, error: (): void => {} };
export {
  quiet as adapterLogger,
  quiet as buildLogger,
  quiet as eventsLogger,
  quiet as runtimeLogger,
  quiet as stepLogger,
  quiet as webhookLogger,
};
