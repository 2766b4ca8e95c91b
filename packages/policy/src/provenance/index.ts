// Where the values of a session came from. Apart from the policy, because reads need none of it.
export { createRowNames } from "./kinds/row-names.ts";
export { createOriginIndex } from "./origin-index.ts";
