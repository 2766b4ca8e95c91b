// Replaces parts of Workflow DevKit that are never called here, see `stubs-of.ts`. Imports nothing.
const refuse = (): never => {
  throw new Error("Workflow DevKit asked for a World before it was given one");
};
export const createLocalWorld = refuse;
export const createVercelWorld = refuse;

/** Whoever asks for work to be waited for waits for it as well. */
export const waitUntil = (): void => undefined;

/** Only for the addresses of webhooks, which are not used; looking for it costs more than a step. */
export const getPort = async (): Promise<number> => 0;

/** Workflow DevKit writes to the console; what matters of that is in its events. */
const quiet = { debug: (): void => {}, info: (): void => {}, warn: (): void => {}, error: (): void => {} };
export {
  quiet as adapterLogger,
  quiet as buildLogger,
  quiet as eventsLogger,
  quiet as runtimeLogger,
  quiet as stepLogger,
  quiet as webhookLogger,
};
