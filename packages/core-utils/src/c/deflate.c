/* Repeated texts become references, and frequent signs short codes. */
#include "deflate.h"
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 32768, HASHES = 32768, SHORTEST = 3, LONGEST = 258, BLOCK = 16384 };

struct sink {
  struct buffer *to;
  uint64_t held;
  int count;
};

static void give(struct sink *sink, uint32_t value, int bits) {
  sink->held |= (uint64_t)value << sink->count;
  for (sink->count += bits; sink->count >= 8; sink->count -= 8, sink->held >>= 8) buffer_byte(sink->to, (char)sink->held);
}

/* A byte (distance 0), or a length and a distance. */
struct item {
  uint16_t length, distance;
};

static const uint16_t length_base[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_base[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577};

static int length_code(int length) {
  int code = 28;
  while (length < length_base[code]) code--;
  return code;
}

static int distance_code(int distance) {
  int code = 29;
  while (distance < distance_base[code]) code--;
  return code;
}

struct node {
  uint32_t weight;
  int sign, left, right;
};

static int by_weight(const void *a, const void *b) {
  const struct node *x = a, *y = b;
  return x->weight != y->weight ? (x->weight > y->weight) - (x->weight < y->weight) : x->sign - y->sign;
}

static void set_depths(const struct node *nodes, int at, int depth, uint8_t *lengths, int *deepest) {
  if (nodes[at].sign >= 0) {
    lengths[nodes[at].sign] = (uint8_t)(depth ? depth : 1);
    if (depth > *deepest) *deepest = depth;
    return;
  }
  set_depths(nodes, nodes[at].left, depth + 1, lengths, deepest);
  set_depths(nodes, nodes[at].right, depth + 1, lengths, deepest);
}

/* Huffman's codes of at most `most` bits: where they become longer, the weights are made more alike. */
static void make_lengths(const uint32_t *weights, int count, int most, uint8_t *lengths) {
  uint32_t *scaled = grab((size_t)count * sizeof *scaled);
  struct node *nodes = grab((size_t)count * 2 * sizeof *nodes);
  memcpy(scaled, weights, (size_t)count * sizeof *scaled);
  for (;;) {
    int leaves = 0, deepest = 0;
    memset(lengths, 0, (size_t)count);
    for (int at = 0; at < count; at++)
      if (scaled[at]) nodes[leaves++] = (struct node){scaled[at], at, -1, -1};
    if (leaves) {
      qsort(nodes, (size_t)leaves, sizeof *nodes, by_weight);
      /* Two queues: the leaves, and what was joined; both are sorted. */
      int leaf = 0, joined = leaves, end = leaves;
      for (int left = leaves; left > 1; left--) {
        int pair[2];
        for (int at = 0; at < 2; at++)
          pair[at] = leaf < leaves && (joined >= end || nodes[leaf].weight <= nodes[joined].weight) ? leaf++ : joined++;
        nodes[end++] = (struct node){nodes[pair[0]].weight + nodes[pair[1]].weight, -1, pair[0], pair[1]};
      }
      set_depths(nodes, end - 1, 0, lengths, &deepest);
    }
    if (deepest <= most) break;
    for (int at = 0; at < count; at++)
      if (scaled[at]) scaled[at] = scaled[at] / 2 + 1;
  }
  free(scaled);
  free(nodes);
}

/* The codes of such lengths, turned round: deflate gives the first bit first. */
static void make_codes(const uint8_t *lengths, int count, uint16_t *codes) {
  uint16_t counts[16] = {0}, next[16] = {0};
  for (int at = 0; at < count; at++) counts[lengths[at]]++;
  counts[0] = 0;
  for (int length = 1; length < 16; length++) next[length] = (uint16_t)((next[length - 1] + counts[length - 1]) << 1);
  for (int at = 0; at < count; at++) {
    uint16_t code = lengths[at] ? next[lengths[at]]++ : 0, turned = 0;
    for (int bit = 0; bit < lengths[at]; bit++) turned = (uint16_t)(turned << 1 | (code >> bit & 1));
    codes[at] = turned;
  }
}

static void write_block(struct sink *sink, const struct item *items, size_t count, bool last) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint32_t signs[286] = {0}, distances[30] = {0}, small[19] = {0};
  for (size_t at = 0; at < count; at++)
    if (items[at].distance) signs[257 + length_code(items[at].length)]++, distances[distance_code(items[at].distance)]++;
    else signs[items[at].length]++;
  signs[256] = 1;
  uint8_t lengths[316] = {0}, far_lengths[30], small_lengths[19];
  uint16_t codes[286], far_codes[30], small_codes[19];
  make_lengths(signs, 286, 15, lengths);
  make_lengths(distances, 30, 15, far_lengths);
  int sign_count = 286, far_count = 30;
  while (sign_count > 257 && !lengths[sign_count - 1]) sign_count--;
  while (far_count > 1 && !far_lengths[far_count - 1]) far_count--;
  make_codes(lengths, 286, codes);
  make_codes(far_lengths, 30, far_codes);
  /* The lengths themselves, with runs shortened. */
  uint8_t all[316], runs[316][3];
  int whole = sign_count + far_count, run_count = 0;
  memcpy(all, lengths, (size_t)sign_count);
  memcpy(all + sign_count, far_lengths, (size_t)far_count);
  for (int at = 0; at < whole;) {
    int same = 1;
    while (at + same < whole && all[at + same] == all[at]) same++;
    int kind = all[at], extra = 0, bits = 0, taken = 1;
    if (!all[at] && same >= 11) kind = 18, bits = 7, taken = same > 138 ? 138 : same, extra = taken - 11;
    else if (!all[at] && same >= 3) kind = 17, bits = 3, taken = same, extra = taken - 3;
    else if (at && all[at] == all[at - 1] && same >= 3) kind = 16, bits = 2, taken = same > 6 ? 6 : same, extra = taken - 3;
    runs[run_count][0] = (uint8_t)kind, runs[run_count][1] = (uint8_t)bits, runs[run_count++][2] = (uint8_t)extra;
    small[kind]++;
    at += taken;
  }
  make_lengths(small, 19, 7, small_lengths);
  make_codes(small_lengths, 19, small_codes);
  int small_count = 19;
  while (small_count > 4 && !small_lengths[order[small_count - 1]]) small_count--;
  give(sink, last, 1), give(sink, 2, 2);
  give(sink, (uint32_t)sign_count - 257, 5), give(sink, (uint32_t)far_count - 1, 5), give(sink, (uint32_t)small_count - 4, 4);
  for (int at = 0; at < small_count; at++) give(sink, small_lengths[order[at]], 3);
  for (int at = 0; at < run_count; at++) {
    give(sink, small_codes[runs[at][0]], small_lengths[runs[at][0]]);
    give(sink, runs[at][2], runs[at][1]);
  }
  for (size_t at = 0; at < count; at++) {
    int length = items[at].length, distance = items[at].distance;
    if (!distance) {
      give(sink, codes[length], lengths[length]);
      continue;
    }
    int code = length_code(length), far = distance_code(distance);
    give(sink, codes[257 + code], lengths[257 + code]);
    give(sink, (uint32_t)(length - length_base[code]), length_extra[code]);
    give(sink, far_codes[far], far_lengths[far]);
    give(sink, (uint32_t)(distance - distance_base[far]), far < 4 ? 0 : far / 2 - 1);
  }
  give(sink, codes[256], lengths[256]);
}

struct search {
  const uint8_t *data;
  size_t length;
  int32_t *heads, *before;
  int tries;
};

static uint32_t hash_at(const uint8_t *at) { return ((uint32_t)at[0] << 10 ^ (uint32_t)at[1] << 5 ^ at[2]) & (HASHES - 1); }

static void remember(struct search *search, size_t at) {
  if (at + SHORTEST > search->length) return;
  uint32_t hash = hash_at(search->data + at);
  search->before[at % WINDOW] = search->heads[hash];
  search->heads[hash] = (int32_t)at;
}

static struct item find_match(const struct search *search, size_t at) {
  struct item best = {0, 0};
  if (at + SHORTEST > search->length) return best;
  size_t most = search->length - at < LONGEST ? search->length - at : LONGEST;
  const uint8_t *here = search->data + at;
  int32_t found = search->heads[hash_at(here)];
  for (int tries = search->tries; tries && found >= 0 && at - (size_t)found < WINDOW; tries--) {
    const uint8_t *there = search->data + found;
    if (there[best.length] == here[best.length]) {
      size_t length = 0;
      while (length < most && there[length] == here[length]) length++;
      if (length > best.length) best = (struct item){(uint16_t)length, (uint16_t)(at - (size_t)found)};
      if (length == most) break;
    }
    int32_t next = search->before[found % WINDOW];
    if (next >= found) break;
    found = next;
  }
  return best.length < SHORTEST ? (struct item){0, 0} : best;
}

void deflate(const uint8_t *data, size_t length, int level, struct buffer *to) {
  struct sink sink = {to, 0, 0};
  struct search search = {data, length, grab(HASHES * sizeof(int32_t)), grab(WINDOW * sizeof(int32_t)), level < 3 ? 8 : level < 7 ? 64 : 512};
  struct item *items = grab(BLOCK * sizeof *items);
  size_t count = 0;
  memset(search.heads, -1, HASHES * sizeof(int32_t));
  memset(search.before, -1, WINDOW * sizeof(int32_t));
  for (size_t at = 0; at < length;) {
    struct item match = find_match(&search, at);
    remember(&search, at);
    /* A byte first, if the match behind it is longer. */
    if (match.length && match.length < 64 && level > 3 && find_match(&search, at + 1).length > match.length) match.length = 0;
    if (match.length) {
      for (size_t inside = 1; inside < match.length; inside++) remember(&search, at + inside);
      items[count++] = match;
      at += match.length;
    } else items[count++] = (struct item){data[at++], 0};
    if (count == BLOCK && at < length) write_block(&sink, items, count, false), count = 0;
  }
  write_block(&sink, items, count, true);
  if (sink.count) give(&sink, 0, 8 - sink.count);
  free(items);
  free(search.heads);
  free(search.before);
}
