import { describePolicy } from "@deputy/testing";
import { createDefaultPolicy } from "./default-policy.ts";

describePolicy("the default policy", createDefaultPolicy);
