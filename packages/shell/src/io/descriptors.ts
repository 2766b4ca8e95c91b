import type { Channel } from "./channel.ts";

/** The open descriptors of one shell. */
export class Descriptors {
  #channels: Map<number, Channel>;

  constructor(channels: Iterable<readonly [number, Channel]> = []) {
    this.#channels = new Map(channels);
  }

  get(descriptor: number): Channel | undefined {
    return this.#channels.get(descriptor);
  }

  /** Takes over the caller's hold on the channel; what was there before is let go. */
  set(descriptor: number, channel: Channel): void {
    const before = this.#channels.get(descriptor);
    this.#channels.set(descriptor, channel);
    before?.release();
  }

  close(descriptor: number): void {
    const before = this.#channels.get(descriptor);
    this.#channels.delete(descriptor);
    before?.release();
  }

  /** Takes a channel out without letting go of it, for whoever puts it back. */
  take(descriptor: number): Channel | undefined {
    const channel = this.#channels.get(descriptor);
    this.#channels.delete(descriptor);
    return channel;
  }

  /** The lowest free descriptor from `from` on. */
  free(from: number): number {
    let descriptor = from;
    while (this.#channels.has(descriptor)) descriptor += 1;
    return descriptor;
  }

  /** The same channels, held once more. */
  copy(): Descriptors {
    return new Descriptors(
      [...this.#channels].map(([descriptor, channel]) => [descriptor, channel.hold()] as const),
    );
  }

  entries(): readonly (readonly [number, Channel])[] {
    return [...this.#channels].sort(([a], [b]) => a - b);
  }

  closeAll(): void {
    for (const channel of this.#channels.values()) channel.release();
    this.#channels.clear();
  }
}
