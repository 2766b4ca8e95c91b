import { subscribe } from "node:diagnostics_channel";

// Loaded before the conformance suite, which knows no way to sign in: whatever it sends carries the token, and is
// otherwise left as it is.
const authorization = `Bearer ${process.env["DEPUTY_TOKEN"] ?? ""}`;

interface UndiciRequest {
  readonly request: { addHeader(name: string, value: string): void };
}
interface HttpRequest {
  readonly request: { setHeader(name: string, value: string): void };
}

subscribe("undici:request:create", (message) =>
  (message as UndiciRequest).request.addHeader("authorization", authorization),
);
subscribe("http.client.request.created", (message) =>
  (message as HttpRequest).request.setHeader("authorization", authorization),
);
