// What policies ask of this machine.
export { createPathFacts } from "./path-facts.ts";
