/** Packages that only other Worlds need: two thirds of what loading Workflow DevKit would cost. */
const STUBBED =
  /^(@workflow\/world-(local|vercel)|@workflow\/utils\/get-port|@vercel\/functions|@aws-sdk\/.*)$/;
const LOGGER = /^\.{1,2}\/logger\.js$/;

/** Whether an import of `importer` (a path or address) is to be answered by `stubs.ts`. The bundle asks, too. */
export function isStubbed(specifier: string, importer: string): boolean {
  if (!/[/\\]@workflow[/\\]core[/\\]/.test(importer)) return false;
  return STUBBED.test(specifier) || LOGGER.test(specifier);
}
