/* What deflate made is made whole again. */
#include "deflate.h"
#include <string.h>

struct bits {
  const uint8_t *data;
  size_t at, length;
  uint64_t held;
  int count;
  bool short_of;
};

static uint32_t take(struct bits *bits, int count) {
  while (bits->count < count) {
    if (bits->at >= bits->length) return bits->short_of = true, 0;
    bits->held |= (uint64_t)bits->data[bits->at++] << bits->count;
    bits->count += 8;
  }
  uint32_t value = (uint32_t)(bits->held & ((1ull << count) - 1));
  bits->held >>= count;
  bits->count -= count;
  return value;
}

/* How many codes there are of each length, and the symbols in the order of their codes. */
struct codes {
  uint16_t counts[16], symbols[288];
};

/* False: more codes than fit, or too few (but for a single one). */
static bool build(struct codes *codes, const uint8_t *lengths, int count) {
  uint16_t starts[16] = {0};
  memset(codes, 0, sizeof *codes);
  for (int at = 0; at < count; at++) codes->counts[lengths[at]]++;
  int room = 1, used = count - codes->counts[0];
  codes->counts[0] = 0;
  for (int length = 1; length < 16; length++) {
    room = room * 2 - codes->counts[length];
    if (room < 0) return false;
  }
  for (int length = 1; length < 15; length++) starts[length + 1] = (uint16_t)(starts[length] + codes->counts[length]);
  for (int at = 0; at < count; at++)
    if (lengths[at]) codes->symbols[starts[lengths[at]]++] = (uint16_t)at;
  return room == 0 || used <= 1;
}

static int symbol(struct bits *bits, const struct codes *codes) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length < 16; length++) {
    code |= (int)take(bits, 1);
    if (bits->short_of) return -1;
    int count = codes->counts[length];
    if (code - count < first) return codes->symbols[index + code - first];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return -1;
}

static bool read_block(struct bits *bits, const struct codes *lengths, const struct codes *distances, struct buffer *to, size_t begin, size_t most) {
  static const uint16_t base[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t far_base[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
    6145, 8193, 12289, 16385, 24577};
  for (;;) {
    int sign = symbol(bits, lengths);
    if (sign < 0 || to->length - begin > most) return false;
    if (sign < 256) {
      buffer_byte(to, (char)sign);
      continue;
    }
    if (sign == 256) return true;
    sign -= 257;
    if (sign >= 29) return false;
    size_t length = base[sign] + take(bits, extra[sign]);
    int far = symbol(bits, distances);
    if (far < 0 || far >= 30) return false;
    size_t distance = far_base[far] + take(bits, far < 4 ? 0 : far / 2 - 1);
    if (bits->short_of || distance > to->length - begin) return false;
    while (length--) buffer_byte(to, to->data[to->length - distance]);
  }
}

static bool read_dynamic(struct bits *bits, struct codes *lengths, struct codes *distances) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint8_t all[320] = {0};
  int length_count = (int)take(bits, 5) + 257, distance_count = (int)take(bits, 5) + 1, code_count = (int)take(bits, 4) + 4;
  if (length_count > 286 || distance_count > 30) return false;
  for (int at = 0; at < code_count; at++) all[order[at]] = (uint8_t)take(bits, 3);
  struct codes codes;
  if (bits->short_of || !build(&codes, all, 19)) return false;
  memset(all, 0, sizeof all);
  for (int at = 0; at < length_count + distance_count;) {
    int sign = symbol(bits, &codes), times;
    uint8_t value = 0;
    if (sign < 0) return false;
    if (sign < 16) {
      all[at++] = (uint8_t)sign;
      continue;
    }
    if (sign == 16) {
      if (!at) return false;
      value = all[at - 1], times = 3 + (int)take(bits, 2);
    } else times = sign == 17 ? 3 + (int)take(bits, 3) : 11 + (int)take(bits, 7);
    if (at + times > length_count + distance_count) return false;
    while (times--) all[at++] = value;
  }
  return all[256] && build(lengths, all, length_count) && build(distances, all + length_count, distance_count);
}

ptrdiff_t inflate(const uint8_t *data, size_t length, struct buffer *to, size_t most) {
  struct bits bits = {.data = data, .length = length};
  size_t begin = to->length;
#define WRONG (bits.short_of ? ENDS_EARLY : IS_NONE)
  for (bool last = false; !last;) {
    last = take(&bits, 1);
    uint32_t kind = take(&bits, 2);
    struct codes lengths, distances;
    if (bits.short_of || kind == 3) return WRONG;
    if (kind == 0) {
      /* Whole bytes that were read ahead are given back. */
      bits.at -= (size_t)bits.count / 8;
      bits.held = 0, bits.count = 0;
      if (bits.length - bits.at < 4) return ENDS_EARLY;
      const uint8_t *head = data + bits.at;
      size_t size = head[0] | (size_t)head[1] << 8;
      if ((size ^ 0xffff) != (head[2] | (size_t)head[3] << 8) || bits.length - bits.at - 4 < size) return WRONG;
      buffer_add(to, head + 4, size);
      bits.at += 4 + size;
      continue;
    }
    if (kind == 1) {
      uint8_t all[288];
      for (int at = 0; at < 288; at++) all[at] = at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8;
      build(&lengths, all, 288);
      memset(all, 5, 30);
      build(&distances, all, 30);
    } else if (!read_dynamic(&bits, &lengths, &distances)) return WRONG;
    if (!read_block(&bits, &lengths, &distances, to, begin, most)) return WRONG;
  }
  return (ptrdiff_t)(bits.at - (size_t)bits.count / 8);
}
