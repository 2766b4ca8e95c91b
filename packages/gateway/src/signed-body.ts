import type { FastifyInstance } from "fastify";

/** Any body there is, whole and as it came, up to the limit of bodies: a signature covers its bytes. */
export function acceptAsItCame(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}
