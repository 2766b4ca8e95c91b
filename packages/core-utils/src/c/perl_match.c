/* Matching of Perl patterns: one path after the other, and not for ever. */
#include "cu.h"
#include "perl_program.h"
#include "regex.h"
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

/* As PCRE: so many steps for one search. */
enum { MAX_STEPS = 10000000, MAX_WAYS = 4000000, MAX_NESTING = 500, MAX_BEHIND = 255 };

/* Another way, or what a slot was before. */
struct way {
  int code, slot; /* slot: -1 for a way */
  ptrdiff_t at;
};
struct search {
  struct perl *perl;
  const char *text;
  ptrdiff_t length, from, kept, behind; /* behind: where a look behind must end */
  ptrdiff_t *slots;
  struct way *ways;
  int count, room, steps, nesting;
  bool given_up;
};

static bool push(struct search *in, struct way way) {
  if (in->count == MAX_WAYS) return in->given_up = true, false;
  if (in->count == in->room) in->ways = regrab(in->ways, sizeof way * (size_t)(in->room = in->room * 2 + 256));
  in->ways[in->count++] = way;
  return true;
}

static void set_slot(struct search *in, int slot, ptrdiff_t at) {
  push(in, (struct way){.slot = slot, .at = in->slots[slot]});
  in->slots[slot] = at;
}

/* The slots become what they were when there were so many ways. */
static void go_back(struct search *in, int count) {
  while (in->count > count) {
    struct way *last = &in->ways[--in->count];
    if (last->slot >= 0) in->slots[last->slot] = last->at;
  }
}

/* No other way is tried any more, but slots can still be set back. */
static void settle(struct search *in, int count) {
  int kept = count;
  for (int at = count; at < in->count; at++)
    if (in->ways[at].slot >= 0) in->ways[kept++] = in->ways[at];
  in->count = kept;
}

static int32_t char_at(const struct search *in, ptrdiff_t at, int *bytes) {
  int32_t c = read_char(in->text + at, (size_t)(in->length - at), bytes);
  return c < 0 ? 0x110000 + (unsigned char)in->text[at] : c;
}

static ptrdiff_t before(const struct search *in, ptrdiff_t at) {
  for (at--; at > 0 && (in->text[at] & 0xc0) == 0x80; at--) continue;
  return at;
}

static bool is_word(const struct search *in, ptrdiff_t at) {
  int bytes;
  return at >= 0 && at < in->length && perl_in_class(CLASS_WORD, char_at(in, at, &bytes));
}

static bool holds(const struct search *in, int assertion, ptrdiff_t at) {
  switch (assertion) {
    case P_LINE_START: return !at || in->text[at - 1] == '\n';
    case P_LINE_END: return at == in->length || in->text[at] == '\n';
    case P_TEXT_START: return !at;
    case P_TEXT_END: return at == in->length;
    case P_SEARCH_START: return at == in->from;
    default: return (is_word(in, at ? before(in, at) : -1) != is_word(in, at)) == (assertion == P_WORD_EDGE);
  }
}

static int32_t fold(int32_t c) { return c <= 0x10ffff ? (int32_t)towlower((wint_t)c) : c; }

/* How many bytes a code that reads takes; 0: it does not fit. */
static int reads(const struct search *in, const struct perl_code *one, ptrdiff_t at) {
  if (at >= in->length) return 0;
  int bytes;
  int32_t c = char_at(in, at, &bytes);
  switch (one->op) {
    case P_CHAR: return c == one->x ? bytes : 0;
    case P_CHAR_NO_CASE: return fold(c) == one->x ? bytes : 0;
    case P_ANY: return c != '\n' ? bytes : 0;
    case P_ALL: return bytes;
    case P_NEWLINE: return c == '\r' && at + 1 < in->length && in->text[at + 1] == '\n' ? 2 : perl_in_class(CLASS_VERTICAL, c) ? bytes : 0;
    default: return perl_in_set(&in->perl->sets[one->x], c) ? bytes : 0;
  }
}

/* How many bytes are as those of a group; -1: others, or the group took no part. */
static ptrdiff_t repeats(const struct search *in, int group, ptrdiff_t at, bool no_case) {
  ptrdiff_t start = in->slots[group * 2], end = in->slots[group * 2 + 1], length = end - start;
  if (start < 0 || end < 0 || length > in->length - at) return -1;
  if (!no_case) return memcmp(in->text + start, in->text + at, (size_t)length) ? -1 : length;
  for (ptrdiff_t done = 0; done < length;) {
    int one, other;
    if (fold(char_at(in, start + done, &one)) != fold(char_at(in, at + done, &other)) || one != other) return -1;
    done += one;
  }
  return length;
}

static bool run(struct search *in, int code, ptrdiff_t at, ptrdiff_t *end);

/* A part that is looked for from one place, whose other ways do not count once it was found. */
static bool run_part(struct search *in, int code, ptrdiff_t at, ptrdiff_t *end) {
  if (in->nesting == MAX_NESTING) return in->given_up = true, false;
  in->nesting++;
  bool found = run(in, code, at, end);
  in->nesting--;
  return found;
}

static bool found_behind(struct search *in, int code, ptrdiff_t at) {
  ptrdiff_t outer = in->behind, start = at, end;
  bool found = false;
  in->behind = at;
  for (int back = 0; back <= MAX_BEHIND && !found && !in->given_up; back++) {
    found = run_part(in, code, start, &end);
    if (!start) break;
    start = before(in, start);
  }
  in->behind = outer;
  return found;
}

/* One step of a part; false if the path ends here. */
static bool run_one(struct search *in, const struct perl_code *one, int code, ptrdiff_t *at) {
  int count = in->count;
  ptrdiff_t end = *at, outer;
  bool found;
  switch (one->op) {
    case P_LOOK: case P_BEHIND:
      outer = in->behind;
      in->behind = -1;
      found = one->op == P_LOOK ? run_part(in, code + 1, *at, &end) : found_behind(in, code + 1, *at);
      in->behind = outer;
      if (found && one->negative) go_back(in, count);
      return found != one->negative;
    case P_ONCE:
      outer = in->behind;
      in->behind = -1;
      found = run_part(in, code + 1, *at, &end);
      in->behind = outer;
      return *at = end, found;
    default: {
      /* A call leaves the groups as they were. */
      size_t size = sizeof *in->slots * (size_t)in->perl->slots;
      ptrdiff_t *slots = grab(size);
      memcpy(slots, in->slots, size);
      outer = in->behind;
      in->behind = -1;
      found = run_part(in, in->perl->group_starts[one->x], *at, &end);
      in->behind = outer;
      in->count = count;
      memcpy(in->slots, slots, size);
      free(slots);
      return *at = end, found;
    }
  }
}

static bool run(struct search *in, int code, ptrdiff_t at, ptrdiff_t *end) {
  int base = in->count;
  for (;;) {
    const struct perl_code *one = &in->perl->code[code];
    bool goes_on = true;
    if (++in->steps > MAX_STEPS) in->given_up = true;
    if (in->given_up) return go_back(in, base), false;
    switch (one->op) {
      case P_MATCH: return *end = at, true;
      case P_END:
        if (in->behind >= 0 && at != in->behind) {
          goes_on = false;
          break;
        }
        settle(in, base);
        return *end = at, true;
      case P_JUMP: code = one->x; continue;
      case P_SPLIT:
        push(in, (struct way){.code = one->y, .slot = -1, .at = at});
        code = one->x;
        continue;
      case P_SAVE: case P_MARK: set_slot(in, one->x, at); break;
      case P_MOVED: goes_on = in->slots[one->x] != at; break;
      case P_KEEP: in->kept = at; break;
      case P_ASSERT: goes_on = holds(in, one->x, at); break;
      case P_BACK: case P_BACK_NO_CASE: {
        ptrdiff_t length = repeats(in, one->x, at, one->op == P_BACK_NO_CASE);
        goes_on = length >= 0;
        at += goes_on ? length : 0;
        break;
      }
      case P_LOOK: case P_BEHIND: case P_ONCE: case P_CALL:
        goes_on = run_one(in, one, code, &at);
        if (one->op != P_CALL && goes_on) {
          code = one->y;
          continue;
        }
        break;
      default: {
        int bytes = reads(in, one, at);
        goes_on = bytes > 0;
        at += bytes;
      }
    }
    if (goes_on) {
      code++;
      continue;
    }
    for (;;) {
      if (in->count == base) return false;
      struct way *last = &in->ways[--in->count];
      if (last->slot < 0) {
        code = last->code, at = last->at;
        break;
      }
      in->slots[last->slot] = last->at;
    }
  }
}

int perl_find(struct perl *perl, const char *text, size_t length, size_t from, struct span *found) {
  static ptrdiff_t *slots;
  static struct way *ways;
  static int room;
  if (!slots) slots = grab(sizeof *slots * (size_t)perl->slots);
  struct search in = {.perl = perl, .text = text, .length = (ptrdiff_t)length, .from = (ptrdiff_t)from, .slots = slots, .ways = ways, .room = room, .behind = -1};
  int outcome = 0;
  int bytes = 1;
  for (ptrdiff_t at = in.from; at <= in.length && !outcome; at += bytes) {
    bytes = 1;
    if (perl->first_known && (at == in.length || !perl->first[(unsigned char)text[at]])) continue;
    if (at < in.length) char_at(&in, at, &bytes);
    for (int slot = 0; slot < perl->slots; slot++) slots[slot] = -1;
    in.kept = at;
    in.count = 0;
    ptrdiff_t end;
    if (run(&in, 0, at, &end)) *found = (struct span){in.kept, end}, outcome = 1;
    else if (in.given_up) outcome = -1;
  }
  ways = in.ways;
  room = in.room;
  return outcome;
}
