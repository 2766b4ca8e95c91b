// `npm run eval:openapi [-- --part 1/4]`: all public specs, or every so-manieth of them; takes minutes.
import { listSpecs, openCorpus } from "./corpus.ts";
import { evaluateOpenApi } from "./evaluate-openapi.ts";

const [flag, part = "1/1"] = process.argv.slice(2);
const [, number, parts] = /^(\d+)\/(\d+)$/.exec(part) ?? [];
if ((flag !== undefined && flag !== "--part") || number === undefined || parts === undefined) {
  process.stderr.write("Usage: npm run eval:openapi [-- --part 1/4]\n");
  process.exit(2);
}
const directory = await openCorpus();
const specs = await listSpecs(directory);
const chosen = specs.filter((_, at) => at % Number(parts) === Number(number) - 1);
if (!(await evaluateOpenApi(directory, chosen))) process.exitCode = 1;
