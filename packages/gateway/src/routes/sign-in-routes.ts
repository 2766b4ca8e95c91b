import { signedInSchema, signInCodeSchema, signInSchema } from "@deputy/protocol/wire";
import { GatewayError } from "../gateway-error.ts";
import { ok, type OpenRequest, type Route } from "../route.ts";
import { json } from "../route-doc.ts";
import type { PageSessions } from "../sign-in/page-sessions.ts";
import type { SignInCodes } from "../sign-in/sign-in-codes.ts";
import { validate } from "../validate.ts";

export interface SignInDeps {
  readonly codes: SignInCodes;
  readonly pageSessions: PageSessions;
}

/** How a browser gets in: with the code of a link, or with the token. It then keeps a session, never the token. */
export function signInRoutes(deps: SignInDeps): readonly Route[] {
  const { codes, pageSessions } = deps;
  return [
    {
      method: "POST",
      path: "/api/sign-in/codes",
      auth: "bearer",
      doc: {
        summary: "A code for a link that opens the page signed in, once, within two minutes",
        answers: { 200: json(signInCodeSchema) },
      },
      handle: async () => ok(codes.issue()),
    },
    {
      method: "POST",
      path: "/api/sign-in/sessions",
      auth: "bearer",
      doc: { summary: "A session for a browser that has the token", answers: { 200: json(signedInSchema) } },
      handle: async (request) => ok(pageSessions.issue(browserOf(request))),
    },
    {
      method: "POST",
      path: "/api/sign-in",
      auth: "own_secret",
      doc: {
        summary: "A session for a browser that was opened by a link",
        body: signInSchema,
        answers: { 200: json(signedInSchema) },
      },
      handle: async (request) => {
        const { code } = validate(signInSchema, request.body);
        if (codes.redeem(code)) return ok(pageSessions.issue(browserOf(request)));
        throw new GatewayError("unauthorized", "This link was used before, or it is too old", {
          hint: "`deputy open` gives a new one",
        });
      },
    },
  ];
}

/** Who signs in, for the list of sign-ins. */
function browserOf({ headers, from }: OpenRequest) {
  return { client: headers["user-agent"], from };
}
