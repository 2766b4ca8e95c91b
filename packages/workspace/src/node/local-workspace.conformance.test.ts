import { describeWorkspace } from "@deputy/testing";
import { openScratchWorkspace } from "./local-workspace.fixture.ts";

describeWorkspace("a workspace on disk", async (limits) => openScratchWorkspace(limits));
