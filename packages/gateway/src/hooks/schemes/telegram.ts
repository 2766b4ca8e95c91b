import { isSame } from "../same-secret.ts";
import type { Scheme } from "../scheme.ts";

/** Nothing is signed: the secret goes with each update. */
export const telegram: Scheme = {
  forms: false,
  refusal({ header }, { secret }) {
    const presented = header("x-telegram-bot-api-secret-token");
    if (!presented) return "missing_signature";
    return isSame(presented, secret) ? undefined : "wrong_signature";
  },
  identify({ sha256 }, payload) {
    const { update_id: id } = (payload ?? {}) as { readonly update_id?: unknown };
    return Number.isSafeInteger(id)
      ? { key: `update ${String(id)}`, deliveryId: String(id) }
      : { key: sha256 };
  },
};
