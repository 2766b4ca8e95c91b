/* The shortest way from one text to another, as Myers found it, and where GNU's tools put it among equal ones. */
#include "diff.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void split_lines(struct text *text) {
  size_t room = 0;
  for (size_t at = 0; at < text->length;) {
    const char *start = text->data + at, *end = memchr(start, '\n', text->length - at);
    size_t length = end ? (size_t)(end - start) + 1 : text->length - at;
    if (text->count == room) text->lines = regrab(text->lines, (room = room * 2 + 64) * sizeof *text->lines);
    text->lines[text->count++] = (struct line){start, length};
    at += length;
  }
}

/* The line as it is compared: what is ignored is out of it. */
static size_t normal_form(const struct line *line, int ignore, char *to) {
  size_t length = line->length, used = 0;
  bool ended = length && line->text[length - 1] == '\n';
  /* The last line differs from one that has an end, unless blanks do not count. */
  if (ended) length--;
  if (ignore & IGNORE_TRAILING_CR && length && line->text[length - 1] == '\r') length--;
  if (ignore & (IGNORE_TRAILING_SPACE | IGNORE_SPACE_CHANGE | IGNORE_ALL_SPACE))
    while (length && isspace((unsigned char)line->text[length - 1])) length--;
  for (size_t at = 0; at < length; at++) {
    unsigned char c = (unsigned char)line->text[at];
    if (isspace(c) && ignore & IGNORE_ALL_SPACE) continue;
    if (isspace(c) && ignore & IGNORE_SPACE_CHANGE) {
      while (at + 1 < length && isspace((unsigned char)line->text[at + 1])) at++;
      c = ' ';
    }
    to[used++] = (char)(ignore & IGNORE_CASE ? tolower(c) : c);
  }
  if (ended || ignore & (IGNORE_SPACE_CHANGE | IGNORE_ALL_SPACE | IGNORE_TRAILING_SPACE)) to[used++] = '\n';
  return used;
}

struct class {
  char *form;
  size_t length;
  uint32_t hash;
  int next;
  bool in[2];
};

static struct class *classes;
static int class_count, class_room, *buckets, bucket_count;

static int class_of(const struct line *line, int ignore, int side) {
  static char *form;
  static size_t room;
  if (room < line->length + 2) form = regrab(form, room = line->length * 2 + 64);
  size_t length = normal_form(line, ignore, form);
  uint32_t hash = 2166136261u;
  for (size_t at = 0; at < length; at++) hash = (hash ^ (unsigned char)form[at]) * 16777619u;
  int *bucket = &buckets[hash % (uint32_t)bucket_count];
  for (int at = *bucket; at >= 0; at = classes[at].next)
    if (classes[at].hash == hash && classes[at].length == length && !memcmp(classes[at].form, form, length)) return classes[at].in[side] = true, at;
  if (class_count == class_room) classes = regrab(classes, (size_t)(class_room = class_room * 2 + 64) * sizeof *classes);
  classes[class_count] = (struct class){copy_bytes(form, length), length, hash, *bucket, {false, false}};
  classes[class_count].in[side] = true;
  return *bucket = class_count++;
}

/* Two sequences of classes, where each entry stands in its text, and the diagonals of the search. */
static int *values[2];
static size_t *places[2];
static bool *marks[2];
static ptrdiff_t *ahead, *back;

struct cut {
  ptrdiff_t x, y;
};

static struct cut find_middle(ptrdiff_t x_from, ptrdiff_t x_to, ptrdiff_t y_from, ptrdiff_t y_to) {
  const ptrdiff_t least = x_from - y_to, most = x_to - y_from, first = x_from - y_from, last = x_to - y_to;
  ptrdiff_t low = first, high = first, back_low = last, back_high = last;
  const bool odd = (first - last) & 1;
  ahead[first] = x_from, back[last] = x_to;
  for (;;) {
    if (low > least) ahead[--low - 1] = -1;
    else low++;
    if (high < most) ahead[++high + 1] = -1;
    else high--;
    for (ptrdiff_t d = high; d >= low; d -= 2) {
      ptrdiff_t below = ahead[d - 1], above = ahead[d + 1], x = below < above ? above : below + 1, y = x - d;
      while (x < x_to && y < y_to && values[0][x] == values[1][y]) x++, y++;
      ahead[d] = x;
      if (odd && back_low <= d && d <= back_high && back[d] <= x) return (struct cut){x, y};
    }
    if (back_low > least) back[--back_low - 1] = PTRDIFF_MAX;
    else back_low++;
    if (back_high < most) back[++back_high + 1] = PTRDIFF_MAX;
    else back_high--;
    for (ptrdiff_t d = back_high; d >= back_low; d -= 2) {
      ptrdiff_t below = back[d - 1], above = back[d + 1], x = below < above ? below : above - 1, y = x - d;
      while (x > x_from && y > y_from && values[0][x - 1] == values[1][y - 1]) x--, y--;
      back[d] = x;
      if (!odd && low <= d && d <= high && x <= ahead[d]) return (struct cut){x, y};
    }
  }
}

static void compare_part(ptrdiff_t x_from, ptrdiff_t x_to, ptrdiff_t y_from, ptrdiff_t y_to) {
  while (x_from < x_to && y_from < y_to && values[0][x_from] == values[1][y_from]) x_from++, y_from++;
  while (x_from < x_to && y_from < y_to && values[0][x_to - 1] == values[1][y_to - 1]) x_to--, y_to--;
  if (x_from == x_to)
    for (; y_from < y_to; y_from++) marks[1][places[1][y_from]] = true;
  else if (y_from == y_to)
    for (; x_from < x_to; x_from++) marks[0][places[0][x_from]] = true;
  else {
    struct cut cut = find_middle(x_from, x_to, y_from, y_to);
    compare_part(x_from, cut.x, y_from, cut.y);
    compare_part(cut.x, x_to, cut.y, y_to);
  }
}

/* Runs of changes slide as far down as they can, and join others where they meet them. */
static void slide(struct text *text, const bool *other) {
  bool *changed = text->changed;
  const int *alike = text->classes;
  ptrdiff_t i = 0, j = 0, end = (ptrdiff_t)text->count;
  for (;;) {
    while (i < end && !changed[i]) {
      while (other[j++]);
      i++;
    }
    if (i == end) break;
    ptrdiff_t start = i, length, meeting;
    while (changed[++i]);
    while (other[j]) j++;
    do {
      length = i - start;
      while (start && alike[start - 1] == alike[i - 1]) {
        changed[--start] = true, changed[--i] = false;
        while (changed[start - 1]) start--;
        while (other[--j]);
      }
      meeting = other[j - 1] ? i : end;
      while (i != end && alike[start] == alike[i]) {
        changed[start++] = false, changed[i++] = true;
        while (changed[i]) i++;
        while (other[++j]) meeting = i;
      }
    } while (length != i - start);
    while (meeting < i) {
      changed[--start] = true, changed[--i] = false;
      while (other[--j]);
    }
  }
}

void compare_texts(struct text *old, struct text *new, int ignore) {
  struct text *texts[2] = {old, new};
  size_t counts[2];
  bucket_count = (int)(old->count + new->count) * 2 + 1;
  buckets = grab((size_t)bucket_count * sizeof *buckets);
  memset(buckets, -1, (size_t)bucket_count * sizeof *buckets);
  class_count = 0;
  for (int side = 0; side < 2; side++) {
    struct text *text = texts[side];
    /* One place before the first, which never changes. */
    text->changed = (bool *)grab_zero(text->count + 2, sizeof(bool)) + 1;
    text->classes = grab((text->count + 1) * sizeof *text->classes);
    for (size_t at = 0; at < text->count; at++) text->classes[at] = class_of(&text->lines[at], ignore, side);
  }
  /* What the other text does not have at all is changed in any case. */
  for (int side = 0; side < 2; side++) {
    struct text *text = texts[side];
    values[side] = grab((text->count + 1) * sizeof *values[side]);
    places[side] = grab((text->count + 1) * sizeof *places[side]);
    marks[side] = text->changed;
    counts[side] = 0;
    for (size_t at = 0; at < text->count; at++)
      if (!classes[text->classes[at]].in[!side]) text->changed[at] = true;
      else values[side][counts[side]] = text->classes[at], places[side][counts[side]++] = at;
  }
  size_t diagonals = counts[0] + counts[1] + 3;
  ptrdiff_t *memory = grab(2 * diagonals * sizeof *memory);
  ahead = memory + counts[1] + 1;
  back = memory + diagonals + counts[1] + 1;
  compare_part(0, (ptrdiff_t)counts[0], 0, (ptrdiff_t)counts[1]);
  free(memory);
  free(buckets);
  slide(old, new->changed);
  slide(new, old->changed);
  for (int at = 0; at < class_count; at++) free(classes[at].form);
  for (int side = 0; side < 2; side++) free(values[side]), free(places[side]);
}
