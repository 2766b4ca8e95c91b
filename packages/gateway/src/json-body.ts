import type { FastifyInstance } from "fastify";

/**
 * JSON is the only body there is: what an HTML form can send never reaches a handler. Keys that would
 * reach into prototypes are refused. An empty body is no body.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) done(null);
    else void parse(request, String(body), done);
  });
}
