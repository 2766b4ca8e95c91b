/* Texts by how they begin: at each place of a line, only those are compared that begin as it does there. */
#include "literals.h"
#include "cu.h"
#include "regex.h"
#include <string.h>

enum { LONGEST_BEGIN = 4, BUCKETS = 1 << 14 };

struct literal {
  const char *text;
  size_t length;
  int next; /* the next in its bucket + 1, 0: none */
};
struct literals {
  struct literal *all;
  int count, room;
  int buckets[LONGEST_BEGIN][BUCKETS]; /* by how long a beginning is; 0: none */
  bool used[LONGEST_BEGIN];
};

static unsigned bucket_of(const char *text, int length) {
  unsigned sum = 0;
  for (int at = 0; at < length; at++) sum = sum * 257 + (unsigned char)text[at];
  return (sum ^ sum >> 15) % BUCKETS;
}

struct literals *literals_new(void) { return grab_zero(1, sizeof(struct literals)); }

void literals_add(struct literals *to, const char *text, size_t length) {
  int begin = length < LONGEST_BEGIN ? (int)length : LONGEST_BEGIN;
  int *bucket = &to->buckets[begin - 1][bucket_of(text, begin)];
  for (int at = *bucket; at; at = to->all[at - 1].next)
    if (to->all[at - 1].length == length && !memcmp(to->all[at - 1].text, text, length)) return;
  if (to->count == to->room) to->all = regrab(to->all, sizeof *to->all * (size_t)(to->room = to->room * 2 + 64));
  to->all[to->count++] = (struct literal){text, length, *bucket};
  *bucket = to->count;
  to->used[begin - 1] = true;
}

/* The length of the longest that stands at a place, 0 if there is none. */
static size_t longest_at(const struct literals *of, const char *text, size_t length, bool whole) {
  size_t longest = 0;
  for (int begin = 1; begin <= LONGEST_BEGIN && (size_t)begin <= length; begin++) {
    if (!of->used[begin - 1]) continue;
    for (int at = of->buckets[begin - 1][bucket_of(text, begin)]; at;) {
      const struct literal *one = &of->all[at - 1];
      bool fits = one->length <= length && one->length > longest && (!whole || one->length == length);
      if (fits && !memcmp(one->text, text, one->length)) longest = one->length;
      at = one->next;
    }
  }
  return longest;
}

bool literals_find(const struct literals *of, const char *line, size_t length, size_t from, bool whole, struct span *found) {
  for (size_t at = from; at < length && (!whole || !at); at++) {
    size_t size = longest_at(of, line + at, length - at, whole);
    if (!size) continue;
    *found = (struct span){(ptrdiff_t)at, (ptrdiff_t)(at + size)};
    return true;
  }
  return false;
}
