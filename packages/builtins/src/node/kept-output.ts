/** Keeps the beginning and the end of what a command writes, however much it is. */
export interface KeptOutput {
  add(chunk: Uint8Array): void;
  /** With a line in the middle that says how much was left out. */
  text(): string;
  readonly cutBytes: number;
}

export function createKeptOutput(maxBytes: number): KeptOutput {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = maxBytes - headBytes;
  const head: Uint8Array[] = [];
  let headFilled = 0;
  let tail: Uint8Array[] = [];
  let tailFilled = 0;
  let cutBytes = 0;

  return {
    get cutBytes() {
      return cutBytes;
    },
    add(chunk) {
      const first = chunk.subarray(0, headBytes - headFilled);
      if (first.length > 0) head.push(first.slice());
      headFilled += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(rest.slice());
      tailFilled += rest.length;
      if (tailFilled <= 2 * maxBytes) return;
      const whole = Buffer.concat(tail);
      cutBytes += whole.length - tailBytes;
      tail = [whole.subarray(whole.length - tailBytes)];
      tailFilled = tailBytes;
    },
    text() {
      const end = Buffer.concat(tail);
      const over = Math.max(0, end.length - tailBytes);
      cutBytes += over;
      tail = [end.subarray(over)];
      tailFilled = end.length - over;
      const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
      if (cutBytes === 0) return decode(Buffer.concat([...head, ...tail]));
      return `${decode(Buffer.concat(head))}\n[… ${cutBytes} bytes left out …]\n${decode(Buffer.concat(tail))}`;
    },
  };
}
