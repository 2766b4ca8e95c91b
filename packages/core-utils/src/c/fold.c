/* fold, expand, unexpand and nl */
#include "cu.h"
#include "regex.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t fold_width = 80;
static bool by_bytes, at_spaces;

static size_t column_after(size_t column, char c) {
  if (by_bytes) return column + 1;
  if (c == '\b') return column ? column - 1 : 0;
  if (c == '\r') return 0;
  return c == '\t' ? column + 8 - column % 8 : column + 1;
}

static void fold_line(const char *line, size_t length) {
  struct buffer out = {0};
  size_t column = 0;
  for (size_t at = 0; at < length; at++) {
    char c = line[at];
    if (c == '\n') {
      buffer_byte(&out, c);
      fwrite(out.data, 1, out.length, stdout);
      out.length = column = 0;
      continue;
    }
    for (;;) {
      size_t next = column_after(column, c);
      if (next <= fold_width || !out.length) {
        column = next;
        break;
      }
      size_t keep = out.length;
      if (at_spaces) {
        while (keep && out.data[keep - 1] != ' ' && out.data[keep - 1] != '\t') keep--;
        if (!keep) keep = out.length;
      }
      fwrite(out.data, 1, keep, stdout);
      putchar('\n');
      memmove(out.data, out.data + keep, out.length - keep);
      out.length -= keep;
      column = 0;
      for (size_t index = 0; index < out.length; index++) column = column_after(column, out.data[index]);
    }
    buffer_byte(&out, c);
  }
  fwrite(out.data, 1, out.length, stdout);
  free(out.data);
}

/* "-20" as of old is "-w20". */
static void modern_width(int argc, char **argv, const char *option) {
  for (int at = 1; at < argc && strcmp(argv[at], "--"); at++)
    if (argv[at][0] == '-' && isdigit((unsigned char)argv[at][1])) argv[at] = format_text("%s%s", option, argv[at] + 1);
}

int fold_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"bytes", NO_VALUE, 'b'}, {"spaces", NO_VALUE, 's'}, {"width", NEEDS_VALUE, 'w'}, {0}};
  struct options options;
  modern_width(argc, argv, "-w");
  options_begin(&options, argc, argv, "bsw:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'b') by_bytes = true;
    else if (c == 's') at_spaces = true;
    else {
      intmax_t width;
      if (!parse_count(options.value, &width)) die(1, "invalid number of columns: %s", quote(options.value));
      if (width < 1) die(1, "invalid number of columns: %s: Numerical result out of range", quote(options.value));
      fold_width = (size_t)width;
    }
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *line;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    while (input_line(&input, '\n', &line, &length)) fold_line(line, length);
    input_close(&input);
  }
  return exit_status;
}

/* ---- tabs ---- */

static size_t *stops, stop_count, repeat_from, repeat;

static void read_stops(const char *list) {
  for (const char *at = list; *at;) {
    if (*at == ',' || isblank((unsigned char)*at)) {
      at++;
      continue;
    }
    char kind = *at == '/' || *at == '+' ? *at++ : 0;
    if (!isdigit((unsigned char)*at)) die(1, "tab size contains invalid character(s): %s", quote(at));
    char *end;
    size_t stop = (size_t)strtoull(at, &end, 10);
    at = end;
    if (kind) {
      repeat = stop;
      repeat_from = kind == '/' ? 0 : stop_count ? stops[stop_count - 1] : 0;
      continue;
    }
    if (!stop) die(1, "tab size cannot be 0");
    if (stop_count && stop <= stops[stop_count - 1]) die(1, "tab sizes must be ascending");
    stops = regrab(stops, (stop_count + 1) * sizeof *stops);
    stops[stop_count++] = stop;
  }
}

static void settle_stops(void) {
  if (repeat) return;
  if (stop_count <= 1) {
    repeat = stop_count ? stops[0] : 8;
    stop_count = 0;
  }
}

/* The next stop behind a column; 0 if there is none. */
static size_t stop_after(size_t column) {
  for (size_t at = 0; at < stop_count; at++)
    if (stops[at] > column) return stops[at];
  if (!repeat) return 0;
  return column + repeat - (column - repeat_from) % repeat;
}

static void expand_line(const char *line, size_t length, bool initial) {
  size_t column = 0;
  bool leading = true;
  for (size_t at = 0; at < length; at++) {
    char c = line[at];
    if (c == '\t' && (leading || !initial)) {
      size_t stop = stop_after(column);
      do putchar(' ');
      while (++column < stop);
      continue;
    }
    if (c == '\b') column -= column > 0;
    else column++;
    if (c != ' ' && c != '\t') leading = false;
    putchar(c);
  }
}

/* A single blank just before a stop stays one, unless more blanks follow it. */
static void unexpand_line(const char *line, size_t length, bool all) {
  size_t column = 0;
  struct buffer blanks = {0};
  bool converts = true, after_blank = true, one_before_stop = false;
  for (size_t at = 0; at < length; at++) {
    char c = line[at];
    if (converts) {
      bool blank = c == ' ' || c == '\t';
      size_t stop = blank ? stop_after(column) : 0;
      if (blank && !stop) converts = false;
      else if (blank && c == '\t') {
        column = stop;
        if (blanks.length) blanks.data[0] = '\t';
        blanks.length = one_before_stop;
      } else if (blank) {
        column++;
        if (!after_blank || column != stop) {
          if (column == stop) one_before_stop = true;
          buffer_byte(&blanks, c);
          after_blank = true;
          continue;
        }
        c = '\t';
        if (blanks.length) blanks.data[0] = '\t';
        blanks.length = one_before_stop;
      } else if (c == '\b') column -= column > 0;
      else column++;
      if (blanks.length > 1 && one_before_stop) blanks.data[0] = '\t';
      fwrite(blanks.data, 1, blanks.length, stdout);
      blanks.length = 0;
      one_before_stop = false;
      after_blank = blank;
      converts = converts && (all || blank);
    }
    putchar(c);
  }
  fwrite(blanks.data, 1, blanks.length, stdout);
  free(blanks.data);
}

static int tabs_main(int argc, char **argv, bool expands) {
  static const struct long_option expand_longs[] = {{"initial", NO_VALUE, 'i'}, {"tabs", NEEDS_VALUE, 't'}, {0}};
  static const struct long_option unexpand_longs[] = {{"all", NO_VALUE, 'a'}, {"first-only", NO_VALUE, 'f'}, {"tabs", NEEDS_VALUE, 't'}, {0}};
  struct options options;
  bool initial = false, all = false, first_only = false;
  modern_width(argc, argv, "-t");
  options_begin(&options, argc, argv, expands ? "it:" : "at:", expands ? expand_longs : unexpand_longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'i') initial = true;
    else if (c == 'a') all = true;
    else if (c == 'f') first_only = true;
    else read_stops(options.value), all = true;
  settle_stops();
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *line;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    while (input_line(&input, '\n', &line, &length)) {
      bool ends = line[length - 1] == '\n';
      if (expands) expand_line(line, length - ends, initial);
      else unexpand_line(line, length - ends, all && !first_only);
      if (ends) putchar('\n');
    }
    input_close(&input);
  }
  return exit_status;
}

int expand_main(int argc, char **argv) { return tabs_main(argc, argv, true); }
int unexpand_main(int argc, char **argv) { return tabs_main(argc, argv, false); }

/* ---- nl ---- */

struct style {
  char kind; /* a, t, n, p */
  struct regex *pattern;
};

static struct style read_style(const char *text, const char *part) {
  if (text[0] && strchr("atn", text[0]) && !text[1]) return (struct style){text[0], NULL};
  if (text[0] == 'p') {
    const char *error = NULL;
    struct regex *pattern = regex_compile(text + 1, strlen(text + 1), 0, &error);
    if (!pattern) die(1, "%s", error);
    return (struct style){'p', pattern};
  }
  warn("invalid %s numbering style: %s", part, quote(text));
  try_help();
}

static intmax_t read_whole_number(const char *text, const char *what, intmax_t least) {
  char *end;
  intmax_t number = strtoimax(text, &end, 10);
  if (!*text || *end) die(1, "invalid %s: %s", what, quote(text));
  if (number < least) die(1, "invalid %s: %s: Numerical result out of range", what, quote(text));
  return number;
}

int nl_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"body-numbering", NEEDS_VALUE, 'b'}, {"section-delimiter", NEEDS_VALUE, 'd'},
    {"footer-numbering", NEEDS_VALUE, 'f'}, {"header-numbering", NEEDS_VALUE, 'h'}, {"line-increment", NEEDS_VALUE, 'i'},
    {"join-blank-lines", NEEDS_VALUE, 'l'}, {"number-format", NEEDS_VALUE, 'n'}, {"no-renumber", NO_VALUE, 'p'},
    {"number-separator", NEEDS_VALUE, 's'}, {"starting-line-number", NEEDS_VALUE, 'v'}, {"number-width", NEEDS_VALUE, 'w'}, {0}};
  struct options options;
  struct style styles[3] = {{'n', NULL}, {'t', NULL}, {'n', NULL}}, *style = &styles[1];
  const char *mark = "\\:", *joint = "\t", *format = "%*jd";
  intmax_t start = 1, step = 1, width = 6, blanks = 1;
  bool renumbers = true;
  options_begin(&options, argc, argv, "b:d:f:h:i:l:n:ps:v:w:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'h': styles[0] = read_style(options.value, "header"); break;
      case 'b': styles[1] = read_style(options.value, "body"); break;
      case 'f': styles[2] = read_style(options.value, "footer"); break;
      case 'd': mark = options.value[0] && !options.value[1] ? format_text("%c:", *options.value) : options.value; break;
      case 'i': step = read_whole_number(options.value, "line number increment", INTMAX_MIN); break;
      case 'l': blanks = read_whole_number(options.value, "line number of blank lines", 1); break;
      case 'n':
        if (!strcmp(options.value, "ln")) format = "%-*jd";
        else if (!strcmp(options.value, "rn")) format = "%*jd";
        else if (!strcmp(options.value, "rz")) format = "%0*jd";
        else warn("invalid line numbering format: %s", quote(options.value)), try_help();
        break;
      case 'p': renumbers = false; break;
      case 's': joint = options.value; break;
      case 'v': start = read_whole_number(options.value, "starting line number", INTMAX_MIN); break;
      case 'w': width = read_whole_number(options.value, "line number field width", 1); break;
    }
  char **files = options.count ? options.operands : NO_FILES;
  intmax_t number = start, blank = 0;
  size_t mark_length = strlen(mark);
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *line;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    while (input_line(&input, '\n', &line, &length)) {
      length -= line[length - 1] == '\n';
      size_t marks = 0;
      while (mark_length && marks < 3 && (marks + 1) * mark_length <= length && !memcmp(line + marks * mark_length, mark, mark_length)) marks++;
      if (marks && marks * mark_length == length) {
        style = &styles[3 - marks];
        if (renumbers) number = start;
        putchar('\n');
        continue;
      }
      bool numbered = style->kind == 'a' ? length || ++blank == blanks : style->kind == 't' ? length > 0
        : style->kind == 'p' && regex_test(style->pattern, line, length);
      if (style->kind == 'a' && (length || numbered)) blank = 0;
      if (numbered) {
        printf(format, (int)width, number), fputs(joint, stdout);
        number += step;
      } else printf("%*s", (int)((size_t)width + strlen(joint)), "");
      fwrite(line, 1, length, stdout);
      putchar('\n');
    }
    input_close(&input);
  }
  return exit_status;
}
