import { CodedError } from "@deputy/kit";

export const bundlesErrorCodes = [
  /** No manifest, registry or key as this version knows them. */
  "bundle_invalid",
  /** Other bytes than those that were signed: a hash, a length or a signature does not fit. */
  "bundle_tampered",
  /** Signed by a key that nobody here trusts. */
  "bundle_untrusted",
  /** The registry took the bundle, or the key that signed it, back. */
  "bundle_revoked",
  /** The registry is too old to install from, or older than what is known of it. */
  "bundle_expired",
  /** No registry has one of that name. */
  "bundle_unknown",
  /** It, or a part of it, could not be brought here. */
  "bundle_unavailable",
] as const;
export type BundlesErrorCode = (typeof bundlesErrorCodes)[number];

export class BundlesError extends CodedError<BundlesErrorCode> {}
