import { listSpecs, openCorpus, sampleOf } from "./corpus.ts";
import { evaluateOpenApi } from "./evaluate-openapi.ts";

/** How many specs are taken: enough to judge by, or enough to see that it works. */
const SAMPLES = { full: 200, smoke: 10 } as const;

/**
 * A sample of the public specs, small enough for every run. Without the registry it is skipped, and says so; where
 * DEPUTY_CI is set, that is a failure.
 */
export async function evaluateOpenApiSample(size: keyof typeof SAMPLES): Promise<boolean> {
  let directory: string;
  try {
    directory = await openCorpus();
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    console.log(`SKIPPED openapi: the specs could not be had from the npm registry (${why}).`);
    return process.env["DEPUTY_CI"] === undefined;
  }
  return await evaluateOpenApi(directory, sampleOf(await listSpecs(directory), SAMPLES[size]));
}
