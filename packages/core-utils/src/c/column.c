/* column, as util-linux has it */
#include "cu.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct cells {
  char **texts;
  size_t count;
};

static struct cells *rows;
static size_t row_count;
static const char *separators, *joint = "  ";
static bool keeps_empty;
static size_t most_columns;

static void add_cell(struct cells *row, const char *text, size_t length) {
  row->texts = regrab(row->texts, (row->count + 1) * sizeof *row->texts);
  row->texts[row->count++] = copy_bytes(text, length);
}

static struct cells split_cells(const char *line, size_t length) {
  struct cells row = {0};
  const char *blanks = separators ? separators : " \t";
  const char *at = line, *end = line + length;
  if (!separators)
    while (at < end && strchr(blanks, *at)) at++;
  while (at <= end) {
    if (!separators && at == end) break;
    const char *stop = at;
    bool last = most_columns && row.count + 1 == most_columns;
    while (stop < end && (last || !strchr(blanks, *stop) || !*stop)) stop++;
    add_cell(&row, at, (size_t)(stop - at));
    if (stop == end) break;
    at = stop + 1;
    bool next_last = most_columns && row.count + 1 == most_columns;
    if (!separators && !next_last)
      while (at < end && *at && strchr(blanks, *at)) at++;
  }
  return row;
}

/* Whether a column is in a list such as "1,3" or "name,size". */
static bool is_listed(const char *list, size_t column, const struct cells *names) {
  if (!list) return false;
  for (const char *at = list; *at;) {
    size_t length = strcspn(at, ",");
    char *word = copy_bytes(at, length), *end;
    unsigned long number = strtoul(word, &end, 10);
    bool found = (*word && !*end && number == column + 1) || (column < names->count && !strcmp(names->texts[column], word));
    free(word);
    if (found) return true;
    at += length + (at[length] == ',');
  }
  return false;
}

static void show_table(const struct cells *names, const char *right, const char *hidden) {
  size_t columns = names->count;
  for (size_t at = 0; at < row_count; at++)
    if (rows[at].count > columns) columns = rows[at].count;
  size_t *widths = grab_zero(columns + 1, sizeof *widths);
  for (size_t at = 0; at <= row_count; at++) {
    const struct cells *row = at ? &rows[at - 1] : names;
    for (size_t column = 0; column < row->count; column++) {
      size_t width = text_width(row->texts[column], strlen(row->texts[column]));
      if (width > widths[column]) widths[column] = width;
    }
  }
  for (size_t at = names->count ? 0 : 1; at <= row_count; at++) {
    const struct cells *row = at ? &rows[at - 1] : names;
    if (!row->count && at) {
      if (keeps_empty) putchar('\n');
      continue;
    }
    bool first = true;
    for (size_t column = 0; column < columns; column++) {
      if (is_listed(hidden, column, names)) continue;
      const char *text = column < row->count ? row->texts[column] : "";
      size_t width = text_width(text, strlen(text)), spare = widths[column] - width;
      bool last = column + 1 == columns;
      if (!first) fputs(joint, stdout);
      first = false;
      if (last && column >= row->count) continue;
      if (is_listed(right, column, names)) printf("%*s%s", (int)spare, "", text);
      else if (last) fputs(text, stdout);
      else printf("%s%*s", text, (int)spare, "");
    }
    putchar('\n');
  }
}

static void show_json_text(const char *text) {
  putchar('"');
  for (; *text; text++)
    if (*text == '"' || *text == '\\') printf("\\%c", *text);
    else if ((unsigned char)*text < 32) printf("\\u%04x", *text);
    else putchar(*text);
  putchar('"');
}

static void show_json(const struct cells *names, const char *title) {
  printf("{\n   ");
  show_json_text(title);
  printf(": [\n");
  for (size_t at = 0; at < row_count; at++) {
    printf(at ? ",{\n" : "      {\n");
    for (size_t column = 0; column < names->count; column++) {
      printf("         ");
      for (char *c = names->texts[column]; *c; c++) *c = (char)tolower((unsigned char)*c);
      show_json_text(names->texts[column]);
      printf(": ");
      if (column < rows[at].count && *rows[at].texts[column]) show_json_text(rows[at].texts[column]);
      else printf("null");
      printf(column + 1 < names->count ? ",\n" : "\n");
    }
    printf("      }");
  }
  printf("\n   ]\n}\n");
}

/* Lines beside each other, as many as the width holds. */
static void fill_width(size_t width, bool across) {
  size_t widest = 0;
  for (size_t at = 0; at < row_count; at++) {
    size_t one = text_width(rows[at].texts[0], strlen(rows[at].texts[0]));
    if (one > widest) widest = one;
  }
  widest = (widest + 8) / 8 * 8;
  size_t columns = width / widest;
  if (columns < 1) columns = 1;
  size_t lines = (row_count + columns - 1) / columns;
  if (widest >= width) lines = row_count, columns = 1;
  for (size_t line = 0; line < lines; line++) {
    size_t reached = 0;
    for (size_t column = 0; column < columns; column++) {
      size_t at = across ? line * columns + column : column * lines + line;
      if (at >= row_count) break;
      size_t stop = column * widest;
      for (; reached < stop; reached = reached / 8 * 8 + 8) putchar('\t');
      fputs(rows[at].texts[0], stdout);
      reached = stop + text_width(rows[at].texts[0], strlen(rows[at].texts[0]));
    }
    putchar('\n');
  }
}

int column_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"table", NO_VALUE, 't'}, {"separator", NEEDS_VALUE, 's'}, {"output-separator", NEEDS_VALUE, 'o'},
    {"table-columns", NEEDS_VALUE, 'N'}, {"table-right", NEEDS_VALUE, 'R'}, {"table-hide", NEEDS_VALUE, 'H'}, {"table-noheadings", NO_VALUE, 'd'},
    {"table-columns-limit", NEEDS_VALUE, 'l'}, {"table-name", NEEDS_VALUE, 'n'}, {"json", NO_VALUE, 'J'}, {"output-width", NEEDS_VALUE, 'c'},
    {"fillrows", NO_VALUE, 'x'}, {"keep-empty-lines", NO_VALUE, 'L'}, {0}};
  struct options options;
  bool table = false, json = false, across = false, headings = true;
  const char *title = "table", *right = NULL, *hidden = NULL;
  struct cells names = {0};
  intmax_t width = 80;
  options_begin(&options, argc, argv, "ts:o:N:R:H:dl:n:Jc:xLe", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 't': table = true; break;
      case 's': separators = options.value; break;
      case 'o': joint = options.value; break;
      case 'N': {
        const char *whole = separators;
        separators = ",";
        names = split_cells(options.value, strlen(options.value));
        separators = whole;
        break;
      }
      case 'R': right = options.value; break;
      case 'H': hidden = options.value; break;
      case 'd': headings = false; break;
      case 'l': most_columns = (size_t)strtoul(options.value, NULL, 10); break;
      case 'n': title = options.value; break;
      case 'J': json = true; break;
      case 'c':
        if (!parse_count(options.value, &width)) die(1, "invalid columns argument: '%s'", options.value);
        break;
      case 'x': across = true; break;
      case 'L': keeps_empty = true; break;
    }
  if (json && !names.count) die(1, "option --table-columns required for --json");
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *line;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    while (input_line(&input, '\n', &line, &length)) {
      length -= line[length - 1] == '\n';
      bool empty = true;
      for (size_t index = 0; index < length && empty; index++) empty = isspace((unsigned char)line[index]);
      if (empty && !keeps_empty) continue;
      rows = regrab(rows, (row_count + 1) * sizeof *rows);
      struct cells row = {0};
      if (table || json) row = empty ? row : split_cells(line, length);
      else add_cell(&row, line, length);
      rows[row_count++] = row;
    }
    input_close(&input);
  }
  if (!row_count) return exit_status;
  if (!headings) names.count = 0;
  if (json) show_json(&names, title);
  else if (table) show_table(&names, right, hidden);
  else fill_width((size_t)width, across);
  return exit_status;
}
