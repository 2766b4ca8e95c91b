import { createPolicy } from "@deputy/policy";
import { createOriginIndex } from "@deputy/policy/provenance";
import { createCatalogue, defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";

const file = z.string().meta({ kind: "drive.file" });

test.each([
  ["a value", z.object({ target: file }), (id: string) => ({ target: id })],
  ["an optional one", z.object({ target: file.optional() }), (id: string) => ({ target: id })],
  ["one that may be null", z.object({ target: file.nullable() }), (id: string) => ({ target: id })],
  ["a list", z.object({ targets: z.array(file) }), (id: string) => ({ targets: [id] })],
  ["a part", z.object({ of: z.object({ target: file }) }), (id: string) => ({ of: { target: id } })],
])("[A181] what a tool's author says of the kind counts: of %s", (_what, args, inputOf) => {
  const wipe = defineTool({
    description: "Wipes",
    approval: "auto",
    effect: "destructive",
    args,
    run: () => "done",
  });
  const [tool] = createCatalogue([{ source: "test", tree: { vault: { wipe } } }]).list();
  if (tool === undefined) throw new Error("The catalogue is empty");
  const decided = (prompt: string, id: string): string => {
    const index = createOriginIndex();
    index.addUser(prompt);
    index.addResult({ source: "drive.list_files", trust: { values: ["*.id", "*.name"] } }, [
      { id: "13", name: "thesis.docx" },
      { id: "14", name: "taxes.xlsx" },
    ]);
    return createPolicy().decide({
      tool: {
        path: tool.path,
        approval: tool.approval,
        effect: tool.effect,
        critical: "all",
        inputSchema: tool.inputSchema,
      },
      input: inputOf(id),
      inputHash: "",
      labels: [],
      origins: index.origins(),
      grants: [],
      nowMs: 0,
    }).decision;
  };
  expect(decided("Wipe file 13", "13")).toBe("allow");
  expect(decided("Wipe thesis.docx", "13")).toBe("allow");
  expect(decided("Wipe thesis.docx", "14")).toBe("ask");
  expect(decided("Wipe target 13", "13")).toBe("ask");
});
