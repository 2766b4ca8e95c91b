/* diff: changes as commands, hunks and scripts of ed */
#include "diff.h"
#include "regex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define job diff_job

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void put_line(const char *mark, const struct line *line) {
  fputs(mark, stdout);
  fwrite(line->text, 1, line->length, stdout);
  if (!line->length || line->text[line->length - 1] != '\n') fputs("\n\\ No newline at end of file\n", stdout);
}

static void put_lines(const char *mark, const struct text *text, size_t from, size_t count) {
  for (size_t at = from; at < from + count; at++) put_line(mark, &text->lines[at]);
}

/* "3", "3,5": the first and the last line. Where there is none, the line before. */
static void put_range(size_t from, size_t count) {
  if (count <= 1) printf("%zu", count ? from + 1 : from);
  else printf("%zu,%zu", from + 1, from + count);
}

void show_normal(const struct text *old, const struct text *new) {
  for (size_t at = 0; at < change_count; at++) {
    const struct change *change = &changes[at];
    put_range(change->old, change->old_count);
    putchar(!change->old_count ? 'a' : !change->new_count ? 'd' : 'c');
    put_range(change->new, change->new_count);
    putchar('\n');
    put_lines("< ", old, change->old, change->old_count);
    if (change->old_count && change->new_count) puts("---");
    put_lines("> ", new, change->new, change->new_count);
  }
}

/* From the end, so that the numbers of lines before stay true. */
void show_ed(const struct text *new) {
  for (size_t at = change_count; at-- > 0;) {
    const struct change *change = &changes[at];
    put_range(change->old, change->old_count);
    puts(!change->old_count ? "a" : !change->new_count ? "d" : "c");
    if (!change->new_count) continue;
    for (size_t line = change->new; line < change->new + change->new_count; line++) fwrite(new->lines[line].text, 1, new->lines[line].length, stdout);
    puts(".");
  }
}

static void put_heading(const char *mark, const char *name, int side) {
  if (side < job.label_count) {
    printf("%s %s\n", mark, job.labels[side]);
    return;
  }
  struct stat about = {0};
  /* A file that is not there is from the beginning of time. */
  if (!strcmp(name, "-")) about.st_mtim.tv_sec = 0;
  else if (stat(name, &about) < 0) about.st_mtim = (struct timespec){0};
  char *time = format_time("%Y-%m-%d %H:%M:%S.%N %z", about.st_mtim);
  printf("%s %s\t%s\n", mark, name, time);
  free(time);
}

/* The last line before that begins like a function. */
static void put_function(const struct text *old, size_t before) {
  if (!job.functions && !job.function) return;
  for (size_t at = before; at-- > 0;) {
    const struct line *line = &old->lines[at];
    if (job.function ? !regex_test(job.function, line->text, line->length - (line->text[line->length - 1] == '\n')) : !isalpha((unsigned char)*line->text) && *line->text != '_' && *line->text != '$') continue;
    size_t length = line->length - (line->text[line->length - 1] == '\n');
    printf(" %.*s", (int)(length < 40 ? length : 40), line->text);
    return;
  }
}

static void put_hunk_unified(const struct text *old, const struct text *new, const struct change *first, const struct change *last) {
  size_t around = (size_t)job.context, before = least(first->old, first->new);
  before = least(before, around);
  size_t from = first->old - before, to = last->old + last->old_count, new_from = first->new - before, new_to = last->new + last->new_count;
  size_t after = least(least(old->count - to, new->count - new_to), around);
  size_t old_count = to + after - from, new_count = new_to + after - new_from;
  printf("@@ -%zu", old_count ? from + 1 : from);
  if (old_count != 1) printf(",%zu", old_count);
  printf(" +%zu", new_count ? new_from + 1 : new_from);
  if (new_count != 1) printf(",%zu", new_count);
  printf(" @@");
  put_function(old, from);
  putchar('\n');
  size_t i = from;
  for (const struct change *change = first; change <= last; change++) {
    put_lines(" ", old, i, change->old - i);
    put_lines("-", old, change->old, change->old_count);
    put_lines("+", new, change->new, change->new_count);
    i = change->old + change->old_count;
  }
  put_lines(" ", old, i, to + after - i);
}

static void put_context_range(size_t from, size_t to) {
  if (to <= from + 1) printf("%zu", to);
  else printf("%zu,%zu", from + 1, to);
}

static void put_hunk_context(const struct text *old, const struct text *new, const struct change *first, const struct change *last) {
  const struct text *texts[2] = {old, new};
  size_t around = (size_t)job.context, before = least(least(first->old, first->new), around);
  size_t after = least(least(old->count - last->old - last->old_count, new->count - last->new - last->new_count), around);
  printf("***************");
  put_function(old, first->old - before);
  putchar('\n');
  for (int side = 0; side < 2; side++) {
    size_t from = (side ? first->new : first->old) - before;
    size_t to = (side ? last->new + last->new_count : last->old + last->old_count) + after;
    fputs(side ? "--- " : "*** ", stdout);
    put_context_range(from, to);
    puts(side ? " ----" : " ****");
    bool any = false;
    for (const struct change *change = first; change <= last; change++) any = any || (side ? change->new_count : change->old_count);
    if (!any) continue;
    size_t at = from;
    for (const struct change *change = first; change <= last; change++) {
      size_t start = side ? change->new : change->old, count = side ? change->new_count : change->old_count;
      put_lines("  ", texts[side], at, start - at);
      put_lines(change->old_count && change->new_count ? "! " : side ? "+ " : "- ", texts[side], start, count);
      at = start + count;
    }
    put_lines("  ", texts[side], at, to - at);
  }
}

void show_hunks(const struct text *old, const struct text *new) {
  put_heading(job.style == UNIFIED ? "---" : "***", old->name, 0);
  put_heading(job.style == UNIFIED ? "+++" : "---", new->name, 1);
  for (size_t at = 0; at < change_count;) {
    size_t last = at;
    while (last + 1 < change_count && changes[last + 1].old - (changes[last].old + changes[last].old_count) <= 2 * (size_t)job.context) last++;
    if (job.style == UNIFIED) put_hunk_unified(old, new, &changes[at], &changes[last]);
    else put_hunk_context(old, new, &changes[at], &changes[last]);
    at = last + 1;
  }
}
