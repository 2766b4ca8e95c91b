import type { CallId } from "@deputy/kit";
import type { Origins } from "@deputy/policy";
import type { GrantBinding, Label } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";
import type { Question } from "../approvals/approval-question.ts";

/** What the gate would decide about a call if it were made now. Finding out has no effect. */
export type Foresight =
  /** It would not run: the program would see this error. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "allowed"; readonly tool: CatalogueTool; readonly inputHash: string }
  | {
      readonly kind: "asks";
      readonly tool: CatalogueTool;
      readonly inputHash: string;
      /** The user would be asked this, the call having that id. */
      readonly put: (callId: CallId) => Promise<Question>;
    };

export type Foresee = (call: {
  readonly toolPath: string;
  readonly inputJson: string;
  readonly programHash: string;
  readonly labels: readonly Label[];
  readonly origins?: Origins | undefined;
  /** What is allowed from here on, if what is asked before is approved. */
  readonly granted: readonly GrantBinding[];
  /** How often which tools are called between now and then. */
  readonly called: ReadonlyMap<string, number>;
}) => Promise<Foresight>;
