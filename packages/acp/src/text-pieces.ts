/** The texts of items that are still being written, as pieces that put together are the whole. */
export interface TextPieces {
  /** What of a delta is new; nothing beyond a gap, which the next piece or the end fills. */
  add(itemId: string, offset: number, text: string): string;
  /** What is left of an item that is complete. */
  finish(itemId: string, text: string): string;
}

interface Item {
  known: string;
  told: number;
}

/** No piece ends in the middle of a character: half of one is no JSON that every client reads. */
export function createTextPieces(): TextPieces {
  const items = new Map<string, Item>();
  return {
    add(itemId, offset, text) {
      const item = items.get(itemId) ?? { known: "", told: 0 };
      items.set(itemId, item);
      if (offset > item.known.length || offset + text.length <= item.known.length) return "";
      item.known = item.known.slice(0, offset) + text;
      const end = isHalf(item.known.at(-1)) ? item.known.length - 1 : item.known.length;
      const piece = item.known.slice(item.told, end);
      item.told = Math.max(item.told, end);
      return piece;
    },
    finish(itemId, text) {
      const told = items.get(itemId)?.told ?? 0;
      items.delete(itemId);
      return text.slice(told);
    },
  };
}

function isHalf(unit: string | undefined): boolean {
  return unit !== undefined && /^[\ud800-\udbff]$/.test(unit);
}
