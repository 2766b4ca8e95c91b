// The tools of every shell (cat, grep, sort, …) as one module. The shell that starts them does not belong here.
export {
  adoptCoreUtils,
  type CoreUtils,
  loadCoreUtils,
  prepareCoreUtils,
  type ToolRun,
} from "./core-utils.ts";
export { toolNames } from "./tool-names.ts";
