import { createMemoryTextFolder, type MemoryFiles } from "@deputy/testing";
import { createCatalogue, type ToolContext } from "@deputy/tools";
import { expect, test } from "vitest";
import { plainText } from "../ingress/labelled-text.ts";
import { readSkills, describeSkills } from "./read-skills.ts";
import { skillSource } from "./skill-source.ts";

const live = new AbortController().signal;
const skill = (name: string, description = `About ${name}`, body = "Do it."): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
const shelf = (label: string, files: MemoryFiles) => ({ label, folder: createMemoryTextFolder(files) });
const read = (files: MemoryFiles) => readSkills([shelf("skills", files)], live);

test("[A68] skills are the folders with a SKILL.md, sorted by name", async () => {
  const files = {
    "pdf/SKILL.md": skill("pdf"),
    "csv-2/SKILL.md": skill("csv-2"),
    "notes/README.md": "No skill.",
    ".git/SKILL.md": skill("git"),
    "SKILL.md": skill("stray"),
  };
  const skills = [
    { name: "csv-2", description: "About csv-2" },
    { name: "pdf", description: "About pdf" },
  ];
  expect(await read(files)).toEqual({ skills, problems: [] });
});

test.each(["pdf", "pdf-processing", "a1", "x".repeat(64), "überblick", "日本語"])(
  "[A68] %s names a skill",
  async (name) => {
    expect((await read({ [`${name}/SKILL.md`]: skill(name) })).skills).toMatchObject([{ name }]);
  },
);

test.each([
  ["PDF", "lower-case"],
  ["-pdf", "single hyphens"],
  ["pdf-", "single hyphens"],
  ["pdf--x", "single hyphens"],
  ["pdf_x", "single hyphens"],
  ["p d", "single hyphens"],
  ["Überblick", "lower-case"],
  ["x".repeat(65), "longer than 64"],
  ["pdf\u200b", "\\u{200b}"],
])("[A68] “%s” names none, and is told", async (name, why) => {
  const { skills, problems } = await read({ [`${name}/SKILL.md`]: skill(name), "ok/SKILL.md": skill("ok") });
  expect(skills).toMatchObject([{ name: "ok" }]);
  expect(problems).toEqual([expect.stringContaining(why)]);
});

test.each([
  ["another name than its folder", skill("csv"), "is not that of its folder"],
  ["no name", "---\ndescription: x\n---\n", "it has no name"],
  ["no description", "---\nname: pdf\n---\n", "it has no description"],
  ["an empty description", skill("pdf", "''"), "it has no description"],
  ["a description that is too long", skill("pdf", "x".repeat(1_025)), "longer than 1024"],
  [
    "a compatibility that is too long",
    skill("pdf", `x\ncompatibility: ${"x".repeat(501)}`),
    "longer than 500",
  ],
  ["no front matter", "Just text.", "does not begin"],
  ["bytes that are no text", new Uint8Array([0xff]), "not text in UTF-8"],
  ["an endless head", `---\nname: pdf\ndescription: ${"x".repeat(1_000_000)}`, "no end"],
])("[A68] a skill with %s is told and passed over", async (_what, text, why) => {
  const { skills, problems } = await read({ "pdf/SKILL.md": text, "ok/SKILL.md": skill("ok") });
  expect(skills).toMatchObject([{ name: "ok" }]);
  expect(problems).toEqual([expect.stringMatching(/^The skill skills\/pdf is passed over: /)]);
  expect(problems[0]).toContain(why);
});

test("[A68] of two with one name that of the earlier place counts, and the other is told", async () => {
  const shelves = [
    shelf("own", { "pdf/SKILL.md": skill("pdf", "Mine") }),
    shelf("shared", { "pdf/SKILL.md": skill("pdf", "Theirs"), "csv/SKILL.md": skill("csv") }),
  ];
  const { skills, problems } = await readSkills(shelves, live);
  expect(skills.map(({ description }) => description)).toEqual(["About csv", "Mine"]);
  expect(problems).toEqual(["The skill shared/pdf is passed over: there is one of that name in own."]);
});

test("[A69] the prompt has a line for each skill, and says how to read one", () => {
  const skills = [{ name: "pdf", description: "Reads\nPDFs" }];
  expect(plainText(describeSkills(skills, "code").text)).toBe(
    "# Skills\nBefore you do what a skill is about, read it with `tools.skill.read({ name })`:\n- pdf: Reads PDFs",
  );
  expect(plainText(describeSkills(skills, "functions").text)).toContain("`skill_read`");
  expect(describeSkills([], "code")).toEqual({ text: [], problems: [] });
});

test.each([20, 80, 500])(
  "[A69] %i skills take no more of a prompt than any others, and that is told",
  (count) => {
    const skills = Array.from({ length: count }, (_, n) => ({
      name: `skill-${n}`,
      description: "😀 what it is about ".repeat(50),
    }));
    const { text: labelled, problems } = describeSkills(skills, "code");
    const text = plainText(labelled);
    expect(text.length).toBeLessThanOrEqual(6_000);
    expect(text.isWellFormed()).toBe(true);
    const listed = text.split("\n").length - 2;
    expect(listed).toBe(count === 500 ? 81 : count);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(count === 500 ? "no room for 419 of 500" : "cut in the prompt");
  },
);

const context: ToolContext = {
  signal: live,
  idempotencyKey: "k",
  sessionKey: "s",
  approvedBy: "user",
  progress: () => {},
  log: () => {},
};

function reader(files: MemoryFiles) {
  const tool = createCatalogue([skillSource([shelf("skills", files)])]).get("skill.read");
  return async (input: { name: string; file?: string }) => await tool?.run(input, context);
}

const PDF = {
  "pdf/SKILL.md": skill("pdf", "x", "Read `references/forms.md`.\u200b"),
  "pdf/references/forms.md": "Forms\r\nare hard.\u{e0041}",
  "pdf/.env": "SECRET=1",
  "pdf/scripts/fill.py": "print()",
  "bad/SKILL.md": "no front matter",
  "secret.md": "outside",
};

test("[A69] all skills are listed, whatever the prompt has room for, and nothing that is none", async () => {
  const tool = createCatalogue([skillSource([shelf("skills", PDF)])]).get("skill.list");
  expect(await tool?.run({}, context)).toEqual([{ name: "pdf", description: "x" }]);
});

test("[A69] [A63] a skill's text is read without its head, with what else belongs to it", async () => {
  expect(await reader(PDF)({ name: "pdf" })).toEqual({
    text: "Read `references/forms.md`.\\u{200b}",
    isCut: false,
    files: ["references/forms.md", "scripts/fill.py"],
  });
  expect(await reader(PDF)({ name: "pdf", file: "references/forms.md" })).toMatchObject({
    text: "Forms\nare hard.\\u{e0041}",
    files: [],
  });
  expect(await reader(PDF)({ name: "pdf", file: "./SKILL.md" })).toMatchObject({ isCut: false });
});

test.each(["nothing", "bad", "..", "pdf/references", "", "PDF"])("[A69] “%s” is no skill", async (name) => {
  await expect(reader(PDF)({ name })).rejects.toMatchObject({ code: "unknown_skill" });
});

test.each(["../secret.md", "/secret.md", "references/../../secret.md", "nothing.md", "references"])(
  "[A69] %s does not belong to the skill",
  async (file) => {
    await expect(reader(PDF)({ name: "pdf", file })).rejects.toMatchObject({ code: "skill_unreadable" });
  },
);

test("[A69] a skill that is too long is cut, and says so", async () => {
  const files = { "pdf/SKILL.md": skill("pdf", "x", "y".repeat(200_000)), "pdf/a.md": "z".repeat(200_000) };
  expect(await reader(files)({ name: "pdf" })).toMatchObject({ isCut: true });
  expect(await reader(files)({ name: "pdf", file: "a.md" })).toMatchObject({ isCut: true });
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`pdf/a${n}.md`, "x"]));
  expect(((await reader({ ...files, ...many })({ name: "pdf" })) as { files: string[] }).files).toHaveLength(
    50,
  );
});

test("[A68] what a quoted description writes by escapes is made visible too", async () => {
  const { skills } = await read({ "pdf/SKILL.md": skill("pdf", String.raw`"Reads\u200b \U000e0041"`) });
  expect(skills[0]?.description).toBe("Reads\\u{200b} \\u{e0041}");
});
