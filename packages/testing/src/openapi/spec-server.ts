import { createSpecValidator, type Verdict, type WireRequest } from "./spec-validator.ts";
import { openWireServer, type WireServer } from "./wire-server.ts";

export interface SpecServer extends WireServer {
  /** Its verdict on every request, in order. */
  readonly verdicts: readonly (Verdict & { readonly request: WireRequest })[];
}

/** How a valid request is answered; default: an empty object. */
export type Answer = (request: WireRequest, operation: string) => Response | Promise<Response>;

/**
 * A server on loopback that accepts what its document describes, and says what is wrong with anything else
 * (422).
 */
export async function openSpecServer(
  document: unknown,
  answer: Answer = () => Response.json({}),
): Promise<SpecServer> {
  const validator = createSpecValidator(document);
  const verdicts: (Verdict & { readonly request: WireRequest })[] = [];
  const server = await openWireServer(async (request) => {
    const verdict = await validator.check(request);
    verdicts.push({ ...verdict, request });
    const { operation, problems } = verdict;
    if (operation === undefined) return Response.json({ problems }, { status: 404 });
    if (problems.length > 0) return Response.json({ problems }, { status: 422 });
    return await answer(request, operation);
  });
  return { url: server.url, verdicts, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
