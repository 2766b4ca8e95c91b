/* diff --line-format and --group-format */
#include "diff.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define job diff_job

/* Escapes that both kinds of formats have: %% and %c'…'. The characters read behind %, or 0. */
static size_t put_common(const char *at) {
  if (*at == '%') return putchar('%'), 1;
  if (*at != 'c' || at[1] != '\'' || !at[2]) return 0;
  if (at[2] == '\\') {
    char *end;
    long byte = strtol(at + 3, &end, 8);
    if (end == at + 3 || *end != '\'') return 0;
    return putchar((int)byte), (size_t)(end - at) + 1;
  }
  return at[3] == '\'' ? (putchar(at[2]), 4) : 0;
}

static void put_formatted(const char *format, const struct line *line, size_t number) {
  size_t length = line->length, bare = length && line->text[length - 1] == '\n' ? length - 1 : length;
  for (const char *at = format; *at; at++) {
    if (*at != '%' || !at[1]) {
      putchar(*at);
      continue;
    }
    size_t used = put_common(at + 1), width = strspn(at + 1, "-'0123456789.");
    if (used) {
      at += used;
      continue;
    }
    char kind = at[1 + width];
    if (kind == 'l') fwrite(line->text, 1, bare, stdout), at += 1;
    else if (kind == 'L') fwrite(line->text, 1, length, stdout), at += 1;
    else if (strchr("doxX", kind) && at[2 + width] == 'n') {
      char field[24] = "%";
      strncat(field, at + 1, width < 12 ? width : 12);
      strcat(field, "z"), strncat(field, kind == 'd' ? "u" : &kind, 1);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
      printf(field, number);
#pragma clang diagnostic pop
      at += width + 2;
    } else putchar('%');
  }
}

/* Lines of one kind (0 unchanged, 1 old, 2 new), each as its format says. */
static void put_group_lines(const struct text *text, size_t from, size_t count, int kind) {
  const char *format = job.line_formats[kind];
  for (size_t at = from; at < from + count; at++)
    if (format) put_formatted(format, &text->lines[at], at + 1);
    else fwrite(text->lines[at].text, 1, text->lines[at].length, stdout);
}

/* F, L, N, E, M: the first and last line of a group, how many it has, and the lines around it. */
static size_t number_of(char letter, const struct change *group) {
  bool new = islower((unsigned char)letter) == 0;
  size_t from = new ? group->new : group->old, count = new ? group->new_count : group->old_count;
  switch (tolower((unsigned char)letter)) {
    case 'e': return from;
    case 'f': return from + 1;
    case 'l': return from + count;
    case 'm': return from + count + 1;
    default: return count;
  }
}

static void put_group(const struct text *old, const struct text *new, const struct change *group, int kind) {
  static const char *const usual[] = {"%=", "%<", "%>", "%<%>"};
  const char *format = job.group_formats[kind];
  /* A changed group is by default an old and a new one. */
  if (!format && kind == 3 && (job.group_formats[1] || job.group_formats[2])) format = format_text("%s%s", job.group_formats[1] ? job.group_formats[1] : "%<", job.group_formats[2] ? job.group_formats[2] : "%>");
  if (!format) format = usual[kind];
  for (const char *at = format; *at; at++) {
    if (*at != '%' || !at[1]) {
      putchar(*at);
      continue;
    }
    size_t used = put_common(at + 1), width = strspn(at + 1, "-'0123456789.");
    if (used) at += used;
    else if (at[1] == '<') put_group_lines(old, group->old, group->old_count, 1), at++;
    else if (at[1] == '>') put_group_lines(new, group->new, group->new_count, 2), at++;
    else if (at[1] == '=') put_group_lines(old, group->old, group->old_count, 0), at++;
    else if (strchr("doxX", at[1 + width]) && at[2 + width] && strchr("eflmnEFLMN", at[2 + width])) {
      char field[24] = "%";
      strncat(field, at + 1, width < 12 ? width : 12);
      strcat(field, "z"), strncat(field, at[1 + width] == 'd' ? "u" : at + 1 + width, 1);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
      printf(field, number_of(at[2 + width], group));
#pragma clang diagnostic pop
      at += width + 2;
    } else putchar('%');
  }
}

void show_formats(const struct text *old, const struct text *new) {
  size_t i = 0, j = 0;
  for (size_t at = 0; at <= change_count; at++) {
    size_t until = at < change_count ? changes[at].old : old->count;
    struct change same = {i, until - i, j, until - i};
    if (until > i) put_group(old, new, &same, 0);
    if (at == change_count) break;
    put_group(old, new, &changes[at], !changes[at].old_count ? 2 : !changes[at].new_count ? 1 : 3);
    i = changes[at].old + changes[at].old_count, j = changes[at].new + changes[at].new_count;
  }
}
