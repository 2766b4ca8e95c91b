/** Packages that only other Worlds need: two thirds of what loading Workflow DevKit would cost. */
const STUBBED =
  /^(@workflow\/world-(local|vercel)|@workflow\/utils\/get-port|@vercel\/functions|@aws-sdk\/.*)$/;
const LOGGER = /^\.{1,2}\/logger\.js$/;

/** True if an import of `importer` (a path or address) resolves to `stubs.ts`. The bundle uses this too. */
export function isStubbed(specifier: string, importer: string): boolean {
  if (!/[/\\]@workflow[/\\]core[/\\]/.test(importer)) return false;
  return STUBBED.test(specifier) || LOGGER.test(specifier);
}
