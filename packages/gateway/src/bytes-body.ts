import type { FastifyInstance } from "fastify";

/**
 * Bytes are the only body there is, and they are left to arrive as their reader takes them; how many there
 * may be is for the reader to say. No HTML form can send this type, and no other site without asking first.
 */
export function acceptOnlyBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/octet-stream",
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    (_request, _payload, done) => done(null, true),
  );
}
