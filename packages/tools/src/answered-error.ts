import { ToolsError, type ToolsErrorCode } from "./tools-error.ts";

/** A refusal that came with an answer: programs that catch it get that too, as data. */
export class AnsweredError extends ToolsError {
  /** The HTTP status. */
  readonly status: number | undefined;
  /** JSON or text, without secrets. Someone else wrote it. */
  readonly body: unknown;

  constructor(
    code: ToolsErrorCode,
    message: string,
    answer: { readonly status?: number | undefined; readonly body: unknown },
  ) {
    super(code, message);
    this.status = answer.status;
    this.body = answer.body;
  }
}
