import { installTemplates } from "./templates.ts";

/** The templates as one script for Workflow DevKit's VM: the source of the function, without its types. */
export const TEMPLATE_SCRIPT = `(${installTemplates.toString()})(globalThis);`;
