import type { Scheme } from "../scheme.ts";

/** Whoever knows the address may send. */
export const none: Scheme = {
  forms: true,
  refusal: () => undefined,
  identify({ header, sha256 }) {
    const id = header("webhook-id") ?? header("idempotency-key");
    return id === undefined ? { key: sha256 } : { key: `id ${id}`, deliveryId: id };
  },
};
