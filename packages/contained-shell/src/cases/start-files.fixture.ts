/** The files that each script begins with. */
export const startFiles: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "alpha\nbeta\n",
  empty: "",
  "with space.txt": "spaced\n",
  "src/main.c": "int main(void) { return 0; }\n",
  "src/util.c": "int util;\n",
  "src/lib/deep.h": "#define X 1\n",
  "docs/read me.md": "# Title\n\ntext\n",
  "run.sh": "#!/bin/sh\necho ran $1\n",
};
