/* diff: two texts side by side */
#include "diff.h"
#include "regex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define job diff_job

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* As much of a line as fits, from a column on; the column that it reached. A tab that does not fit whole is left out. */
static size_t put_half(const struct line *line, size_t from, size_t most) {
  size_t wanted = 0, reached = 0;
  int bytes;
  for (size_t at = 0; at < line->length && line->text[at] != '\n'; at += (size_t)bytes) {
    int32_t c = read_char(line->text + at, line->length - at, &bytes);
    size_t wide = c == '\t' ? 8 - wanted % 8 : c < 0 ? 1 : (size_t)char_width(c);
    bool fits = c == '\t' ? wanted + wide < most : wanted + wide <= most;
    if (fits && (c != '\t' || wanted == reached)) fwrite(line->text + at, 1, (size_t)bytes, stdout), reached = wanted + wide;
    wanted += wide;
  }
  return from + reached;
}

static size_t go_to(size_t column, size_t place) {
  for (size_t next = column / 8 * 8 + 8; next <= place; next += 8) putchar('\t'), column = next;
  for (; column < place; column++) putchar(' ');
  return place;
}

static bool has_end(const struct line *line) { return line && line->length && line->text[line->length - 1] == '\n'; }

/* The second half begins at a tab stop. */
static void put_sides(const struct line *left, char mark, const struct line *right) {
  size_t width = (size_t)job.width, start = (width / 2 + 5 + (width & 1)) / 8 * 8;
  size_t half = start < 3 ? 0 : least(start - 3, width > start ? width - start : 0);
  if (!half) start = width;
  size_t column = left ? put_half(left, 0, half) : 0;
  if (mark != ' ') {
    column = go_to(column, (half + start - 1) / 2) + 1;
    if (mark == '|' && has_end(left) != has_end(right)) mark = has_end(left) ? '/' : '\\';
    putchar(mark);
  }
  if (right && *right->text != '\n') {
    column = go_to(column, start);
    put_half(right, column, half);
  }
  if (has_end(left) || has_end(right)) putchar('\n');
}

void show_sides(const struct text *old, const struct text *new) {
  size_t i = 0, j = 0;
  for (size_t at = 0; at <= change_count; at++) {
    size_t until = at < change_count ? changes[at].old : old->count;
    for (; i < until; i++, j++)
      if (job.left_column) put_sides(&old->lines[i], '(', NULL);
      else if (!job.only_changed) put_sides(&old->lines[i], ' ', j < new->count ? &new->lines[j] : NULL);
    if (at == change_count) break;
    size_t old_left = changes[at].old_count, new_left = changes[at].new_count;
    for (; old_left && new_left; old_left--, new_left--) put_sides(&old->lines[i++], '|', &new->lines[j++]);
    for (; old_left; old_left--) put_sides(&old->lines[i++], '<', NULL);
    for (; new_left; new_left--) put_sides(NULL, '>', &new->lines[j++]);
  }
}
