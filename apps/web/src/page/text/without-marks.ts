/** A line of Markdown as it is read: without the signs that make headings, links and strong words of it. */
export function withoutMarks(line: string): string {
  return line
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\)|$)/g, "$1")
    .replaceAll(/(^|\s)#{1,6}(?=\s)/g, "$1")
    .replaceAll(/\*\*|__|~~|`+/g, "")
    .replaceAll(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=[\s.,;:!?)]|$)/g, "$1")
    .replaceAll(/\s*\|[\s|:-]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
