/** The daemon refused a request, or did not answer. The message says so to a person. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  /** `not_sent`: it did not leave this page. `no_answer`: nobody can say whether it was done. Else one of docs/errors.md. */
  readonly code: string;

  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
