import { describeTypeStripper } from "@deputy/testing";
import { createNodeTypeStripper } from "./type-stripper.ts";

// Its thread ends soon: other files share the process.
describeTypeStripper("Node's type stripper", () => createNodeTypeStripper({ idleMs: 500 }));
