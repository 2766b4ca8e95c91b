/** The files that cases read, by name; each unit of a text is a byte. */
export const caseFiles: Readonly<Record<string, string>> = {
  empty: "",
  "one.txt": "one line\n",
  "noend.txt": "first\nsecond\nno newline",
  "words.txt": "apple\nBanana\ncherry\napple\n\n\nbanana\nApple pie\nzebra\n10\n9\n",
  "people.txt": "ann 30 berlin\nbob 4 paris\ncarl 30 rome\ndora  7 berlin\nemil 100 oslo\n",
  "table.tsv": "id\tname\tsize\n3\tgamma\t1.5K\n1\talpha\t2M\n2\tbeta\t900\n10\tdelta\t-3\n",
  "list.csv": "a,b,c\n1,2,3\n,x,\nno delimiter\n4,5,6,7,8\n",
  "numbers.txt": "10\n9\n-1\n0.5\n1e3\n007\n\n-0\n3.14\nabc\n2K\n1M\n",
  "versions.txt": "v1.10\nv1.9\nv1.2.3\nv1.2\nv2.0~rc1\nv2.0\n",
  "months.txt": "mar 3\nJan 1\nDEC 25\nfoo\n feb 2\n",
  "pairs.txt": "a a\nb a\nb b\nB b\nb b\nc\n\nc\nc\n",
  // Ä Ö ü, Japanese, an emoji, a combining accent: as the bytes of UTF-8.
  "utf8.txt": bytesOf("Äpfel und Öl\nüber Straße\n日本語 テキスト\n🙂 smile\ncafé\nplain\n"),
  "binary.bin": "\0\x01\x02abc\xff\xfe\n\x80\x81text\n\r\n\x7f\x1b[0m\0end",
  "latin1.txt": "caf\xe9\nna\xefve\nplain\n",
  "tabs.txt": "\tone\n a\tb\n\n\n\n  two  spaces\t\nx\r\n",
  "code.c":
    "int main(void) {\n  return foo(bar, 1);\n}\n\nstatic int foo(int a) {\n  /* a.b */\n  return a * 2;\n}\n",
  "log.txt": Array.from(
    { length: 24 },
    (_, at) =>
      `${String(at + 1)} ${["info", "warn", "error"][at % 3] ?? ""} step=${String((at * 7) % 10)} user_${String(at % 4)}\n`,
  ).join(""),
  "left.txt": "a 1 x\nb 2 y\nb 3 z\nd 4\nf 5 w\n",
  "right.txt": "a one\nb two\nb zwei\nc three\nf five six\n",
  "old.c": lines("#include <a.h>", "", "int f(void) {", "  one();", "  two();", "  three();", "}", "", "int g(int x) {", "  return x;", "}", "", "int h(void) {", "  four();", "}"),
  "new.c": lines("#include <a.h>", "#include <b.h>", "", "int f(void) {", "  one();", "  2();", "  three();", "}", "", "int g(int x) {", "  return  x;", "}", "", "int h(void) {", "  FOUR();", "  five();", "}"),
  "blanks.c": lines("#include <a.h>", "int f(void) {", "", "  one();", "  two();", "", "  three();", "}", "int  g(int x) {", "\treturn x;", "}", "int h(void) {", "  four();", "}"),
  "u.patch": lines("--- one.txt", "+++ one.txt", "@@ -1 +1,2 @@", "-one line", "+another line", "+and one more"),
  "n.patch": lines("1c1", "< one line", "---", "> another line"),
  "bad.patch": lines("--- one.txt", "+++ one.txt", "@@ -1 +1 @@", "-no such line", "+another line"),
  "code.patch": lines("--- a/old.c", "+++ b/old.c", "@@ -3,5 +3,5 @@", " int f(void) {", "   one();", "-  two();", "+  2();", "   three();", " }", "@@ -20,3 +20,3 @@", " int h(void) {", "-  four();", "+  FOUR();", " }"),
  "sums.md5": "ab5c67ac4f1d7e6a4e3ce3a4c87ed01c  one.txt\nd41d8cd98f00b204e9800998ecf8427e  empty\nd41d8cd98f00b204e9800998ecf8427e  words.txt\n",
  "code.b64": "SGVsbG8sIHdvcmxkIQpUaGlzIGlzIHRleHQu\nCg==\n",
  "hex.txt": "48656c6c6f0a\n576f726c64 0a\n",
  "dump.txt": "00000000: 4865 6c6c 6f2c 2077 6f72 6c64 210a  Hello, world!.\n",
  "sizes.txt": "1000 one\n2048 two\n1536000 three\n-5 four\n999999 five\n",
  "units.txt": "1K a\n1.5M b\n2Gi c\n3x d\n",
  "sections.txt": "\\:\\:\\:\nhead\n\\:\\:\nbody one\n\nbody two\n\\:\nfoot\n",
  "tree/a.txt": "alpha\nneedle one\n",
  "tree/b.md": "beta\nNeedle two\n",
  "tree/deep/c.txt": "gamma\nneedle three\nneedle\n",
};

function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

function bytesOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
