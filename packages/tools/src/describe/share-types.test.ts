import { type DeclaredTool, emitDeclarations, type JsonSchema } from "@deputy/codemode";
import { expect, test } from "vitest";
import { briefTool } from "./brief-tool.ts";
import { shareTypes } from "./share-types.ts";

const texts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, { type: "string" }]));
const issue: JsonSchema = { type: "object", properties: texts(12), required: ["field0"] };
const when = { anyOf: [{ type: "string" }, { type: "object", properties: texts(10) }] };
const tool = (path: string, more: Partial<DeclaredTool> = {}): DeclaredTool => ({
  path,
  description: "Does",
  inputSchema: { type: "object", properties: { when: { ...when, description: `When ${path} runs` } } },
  outputSchema: issue,
  ...more,
});
const declared = (...tools: DeclaredTool[]): string => emitDeclarations(shareTypes(tools));
const times = (text: string, part: string): number => text.split(part).length - 1;

test("[T72] a large type of several tools is declared once, by the name of its property; what is said about it stays", () => {
  const text = declared(tool("a.add"), tool("a.list", { outputSchema: { type: "array", items: issue } }));
  expect(times(text, "field9")).toBe(2);
  expect(text).toContain("/** When a.add runs */");
  expect(text).toContain("/** When a.list runs */");
  expect(times(text, "when?: AInput_When;")).toBe(2);
  expect(text).toMatch(/Promise<A_A>;[^]*Promise<A_A\[\]>;/);
});

test("[T72] a type of several namespaces is called after none of them", () => {
  const text = declared(tool("cron.add"), tool("time.add"));
  expect(text).toContain("when?: ToolsInput_When;");
  expect(text).not.toMatch(/Cron(Input)?_|Time(Input)?_/);
});

test("[T72] what stands once, is short, or belongs to a document stays where it is", () => {
  const small = { type: "object", properties: texts(2) } as const;
  const one = tool("a.add");
  const other = tool("b.add", { inputSchema: small, outputSchema: small });
  expect(declared(one, other)).toBe(emitDeclarations([one, other]));
  const documented = tool("c.add", { definitions: { name: "c", root: {} } });
  expect(shareTypes([documented, tool("c.list", { definitions: { name: "c", root: {} } })])[0]).toBe(
    documented,
  );
});

test("[T72] cuts are still marked in a type that is shared", () => {
  const large: JsonSchema = { type: "object", properties: texts(200) };
  const brief = [tool("a.add", { outputSchema: large }), tool("a.get", { outputSchema: large })].map(
    briefTool,
  );
  const text = declared(...brief);
  expect(times(text, "/* … 140 more */")).toBe(1);
});
