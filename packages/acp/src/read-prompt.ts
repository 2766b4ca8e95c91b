import { type ContentBlock, RequestError } from "@agentclientprotocol/sdk";
import type { QuotedText } from "@deputy/tasks";

/** The user's text, and the content that the editor sent along. */
export interface ReadPrompt {
  readonly text: string;
  readonly quoted: readonly QuotedText[];
}

/**
 * Only text blocks are the user's words. Links and resources are quoted: the text has a number in their place. Throws
 * `invalid params` for content that the agent does not support, and for a prompt without text.
 */
export function readPrompt(blocks: readonly ContentBlock[]): ReadPrompt {
  const quoted: QuotedText[] = [];
  const quote = (source: string, text: string): string => {
    quoted.push({ source: `the editor, as attachment ${quoted.length + 1}`, text: `${source}\n${text}` });
    return `[attachment ${quoted.length}]`;
  };
  const said = blocks.map((block) => {
    switch (block.type) {
      case "text":
        return block.text;
      case "resource_link": {
        const { uri, name, title, description } = block;
        return quote(uri, [name, title, description].filter((part) => typeof part === "string").join("\n"));
      }
      case "resource": {
        const { resource } = block;
        return quote(resource.uri, "text" in resource ? resource.text : "(It is not text, and is left out.)");
      }
      case "image":
      case "audio":
        throw RequestError.invalidParams(undefined, `Deputy takes no ${block.type} in a prompt`);
      default:
        return block satisfies never;
    }
  });
  const own = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  if (own.trim() === "") throw RequestError.invalidParams(undefined, "The prompt has no text");
  return { text: said.join(""), quoted };
}
