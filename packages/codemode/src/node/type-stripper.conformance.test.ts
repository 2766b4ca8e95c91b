import { describeTypeStripper } from "@deputy/testing";
import { createNodeTypeStripper } from "./type-stripper.ts";

describeTypeStripper("Node's type stripper", createNodeTypeStripper);
