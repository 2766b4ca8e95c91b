import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

/** What a sealed entry is bound to: it opens nowhere else. */
export interface JournalSlot {
  readonly cellId: string;
  readonly ordinal: number;
  readonly kind: string;
}

export interface SealedEntry {
  readonly nonce: Uint8Array;
  /** Ciphertext, then the 16-byte tag. */
  readonly sealed: Uint8Array;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key object, not its bytes: reading those in takes longer than sealing. */
export function sealEntry(key: KeyObject, slot: JournalSlot, bytes: Uint8Array): SealedEntry {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(slotBytes(slot));
  return { nonce, sealed: Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]) };
}

/** Throws when the entry was changed, moved, or sealed with another key. */
export function openEntry(key: KeyObject, slot: JournalSlot, entry: SealedEntry): Uint8Array {
  const body = entry.sealed.subarray(0, -TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, entry.nonce, { authTagLength: TAG_BYTES })
    .setAAD(slotBytes(slot))
    .setAuthTag(entry.sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function slotBytes(slot: JournalSlot): Buffer {
  return Buffer.from(JSON.stringify(["deputy journal 1", slot.cellId, slot.ordinal, slot.kind]));
}
