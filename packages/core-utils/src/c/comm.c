/* comm and join: sorted files beside each other */
#include "cu.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ORDER, CHECK_ORDER, ANY_ORDER };

/* Both files, or the message that GNU's have for a wrong number of them. */
static void need_two(struct options *options) {
  if (options->count == 0) usage_error("missing operand");
  if (options->count == 1) usage_error("missing operand after %s", quote(options->operands[0]));
  if (options->count > 2) usage_error("extra operand %s", quote(options->operands[2]));
}

struct reader {
  struct input input;
  char *line;
  size_t length;
  bool there, said;
  uintmax_t number;
};

static void reader_open(struct reader *reader, const char *name) {
  *reader = (struct reader){0};
  if (!input_open(&reader->input, name)) finish(1);
}

/* The next line, without its end, in memory of its own. */
static void reader_next(struct reader *reader, int end) {
  char *line;
  size_t length;
  reader->line = NULL;
  reader->there = input_line(&reader->input, end, &line, &length);
  if (reader->input.failed) finish(1);
  if (!reader->there) return;
  if (line[length - 1] == end) length--;
  reader->line = copy_bytes(line, length);
  reader->length = length;
  reader->number++;
}

static int compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

int comm_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"check-order", NO_VALUE, CHECK_ORDER}, {"nocheck-order", NO_VALUE, ANY_ORDER},
    {"output-delimiter", NEEDS_VALUE, 'o'}, {"total", NO_VALUE, 'T'}, {"zero-terminated", NO_VALUE, 'z'}, {0}};
  struct options options;
  bool shown[3] = {true, true, true}, total = false, unpaired = false;
  int order_check = DEFAULT_ORDER, end = '\n';
  const char *joint = "\t";
  options_begin(&options, argc, argv, "123z", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case '1': case '2': case '3': shown[c - '1'] = false; break;
      case CHECK_ORDER: case ANY_ORDER: order_check = c; break;
      case 'o': joint = options.value; break;
      case 'T': total = true; break;
      case 'z': end = 0; break;
    }
  need_two(&options);
  struct reader readers[2];
  uintmax_t counts[3] = {0};
  for (int at = 0; at < 2; at++) reader_open(&readers[at], options.operands[at]);
  for (int at = 0; at < 2; at++) reader_next(&readers[at], end);
  while (readers[0].there || readers[1].there) {
    int order = !readers[0].there ? 1 : !readers[1].there ? -1
      : compare_bytes(readers[0].line, readers[0].length, readers[1].line, readers[1].length);
    int class = order == 0 ? 2 : order < 0 ? 0 : 1;
    if (order) unpaired = true;
    counts[class]++;
    struct reader *from = &readers[class == 1];
    if (shown[class]) {
      if (class > 0 && shown[0]) fputs(joint, stdout);
      if (class > 1 && shown[1]) fputs(joint, stdout);
      fwrite(from->line, 1, from->length, stdout);
      putchar(end);
    }
    for (int at = 0; at < 2; at++) {
      if (order && at != class) continue;
      char *before = readers[at].line;
      size_t length = readers[at].length;
      reader_next(&readers[at], end);
      bool checks = order_check == CHECK_ORDER || (order_check == DEFAULT_ORDER && unpaired);
      if (readers[at].there && checks && !readers[at].said &&
          compare_bytes(before, length, readers[at].line, readers[at].length) > 0) {
        warn("file %d is not in sorted order", at + 1);
        readers[at].said = true;
        if (order_check == CHECK_ORDER) finish(1);
      }
      free(before);
    }
  }
  if (total) printf("%ju%s%ju%s%ju%stotal%c", counts[0], joint, counts[1], joint, counts[2], joint, end);
  if (readers[0].said || readers[1].said) warn("input is not in sorted order");
  return exit_status;
}

/* ---- join ---- */

struct row {
  char *line;
  size_t length;
  struct { const char *start; size_t length; } *fields;
  size_t count;
};

struct column {
  int file; /* 0: the key */
  size_t field;
};

static int field_mark = -1; /* -1: blanks */
static bool no_case, unpaired_seen;
static int join_order, join_end = '\n';
static size_t keys[2];
static const char *filler, *joint_text;
static struct column *columns;
static size_t column_count;
static bool shows_pairs = true, shows_alone[2], auto_columns;
static size_t auto_counts[2];

static void add_field(struct row *row, const char *start, size_t length) {
  row->fields = regrab(row->fields, (row->count + 1) * sizeof *row->fields);
  row->fields[row->count].start = start;
  row->fields[row->count++].length = length;
}

static void split_row(struct row *row) {
  const char *at = row->line, *stop = at + row->length;
  if (field_mark >= 0) {
    for (const char *mark; field_mark < 256 && (mark = memchr(at, field_mark, (size_t)(stop - at))); at = mark + 1)
      add_field(row, at, (size_t)(mark - at));
    add_field(row, at, (size_t)(stop - at));
    return;
  }
  for (;;) {
    while (at < stop && (isblank((unsigned char)*at) || *at == '\n')) at++;
    if (at == stop) return;
    const char *start = at;
    while (at < stop && !isblank((unsigned char)*at) && *at != '\n') at++;
    add_field(row, start, (size_t)(at - start));
  }
}

static int compare_keys(const struct row *a, size_t a_key, const struct row *b, size_t b_key) {
  bool a_has = a_key < a->count, b_has = b_key < b->count;
  if (!a_has || !b_has) return a_has - b_has;
  const char *x = a->fields[a_key].start, *y = b->fields[b_key].start;
  size_t x_length = a->fields[a_key].length, y_length = b->fields[b_key].length;
  for (size_t at = 0; no_case && at < x_length && at < y_length; at++) {
    int order = tolower((unsigned char)x[at]) - tolower((unsigned char)y[at]);
    if (order) return order;
  }
  return no_case ? (x_length > y_length) - (x_length < y_length) : compare_bytes(x, x_length, y, y_length);
}

struct side {
  struct reader reader;
  const char *name;
  struct row row, last;
  bool there;
};

static void free_row(struct row *row) {
  free(row->line);
  free(row->fields);
  *row = (struct row){0};
}

/* The next row; the one before is the caller's. */
static void next_row(struct side *side, int file) {
  reader_next(&side->reader, join_end);
  side->there = side->reader.there;
  side->row = (struct row){side->reader.line, side->reader.length, NULL, 0};
  if (!side->there) return;
  split_row(&side->row);
  bool checks = join_order == CHECK_ORDER || (join_order == DEFAULT_ORDER && unpaired_seen);
  if (side->last.line && checks && !side->reader.said && compare_keys(&side->last, keys[file], &side->row, keys[file]) > 0) {
    warn("%s:%ju: is not sorted: %.*s", side->name, side->reader.number, (int)side->row.length, side->row.line);
    side->reader.said = true;
    if (join_order == CHECK_ORDER) finish(1);
  }
  free_row(&side->last);
  side->last = (struct row){copy_bytes(side->row.line, side->row.length), side->row.length, NULL, 0};
  split_row(&side->last);
}

static void show_field(const struct row *row, size_t field) {
  if (row && field < row->count && row->fields[field].length) fwrite(row->fields[field].start, 1, row->fields[field].length, stdout);
  else if (filler) fputs(filler, stdout);
}

static void show_rest(const struct row *row, int file) {
  size_t count = auto_columns ? auto_counts[file] : row ? row->count : 0;
  for (size_t at = 0; at < count; at++) {
    if (at == keys[file]) continue;
    fputs(joint_text, stdout);
    show_field(row, at);
  }
}

static void show_join(const struct row *a, const struct row *b) {
  if (columns)
    for (size_t at = 0; at < column_count; at++) {
      if (at) fputs(joint_text, stdout);
      const struct column *one = &columns[at];
      if (one->file) show_field(one->file == 1 ? a : b, one->field);
      else show_field(a ? a : b, a ? keys[0] : keys[1]);
    }
  else {
    show_field(a ? a : b, a ? keys[0] : keys[1]);
    show_rest(a, 0);
    show_rest(b, 1);
  }
  putchar(join_end);
}

static size_t read_field(const char *text) {
  char *stop;
  unsigned long long number = strtoull(text, &stop, 10);
  if (!isdigit((unsigned char)*text) || *stop || number == 0) die(1, "invalid field number: %s", quote(text));
  return (size_t)number - 1;
}

static void read_columns(char *list) {
  if (!strcmp(list, "auto")) {
    auto_columns = true;
    return;
  }
  for (char *word = strtok(list, ", \t"); word; word = strtok(NULL, ", \t")) {
    struct column column = {0, 0};
    if ((*word == '1' || *word == '2') && word[1] == '.') column = (struct column){*word - '0', read_field(word + 2)};
    else if (strcmp(word, "0")) die(1, *word == '1' || *word == '2' ? "invalid field specifier: %s" : "invalid file number in field spec: %s", quote(word));
    columns = regrab(columns, (column_count + 1) * sizeof *columns);
    columns[column_count++] = column;
  }
}

static int read_file_number(const char *text) {
  if (strcmp(text, "1") && strcmp(text, "2")) die(1, "invalid field number: %s", quote(text));
  return *text - '1';
}

static void join_sides(struct side *sides) {
  while (sides[0].there && sides[1].there) {
    int order = compare_keys(&sides[0].row, keys[0], &sides[1].row, keys[1]);
    if (order) {
      int alone = order > 0;
      if (shows_alone[alone]) show_join(alone ? NULL : &sides[0].row, alone ? &sides[1].row : NULL);
      free_row(&sides[alone].row);
      next_row(&sides[alone], alone);
      unpaired_seen = true;
      continue;
    }
    struct row *groups[2] = {0};
    size_t counts[2] = {0};
    for (int file = 0; file < 2; file++)
      do {
        groups[file] = regrab(groups[file], (counts[file] + 1) * sizeof *groups[file]);
        groups[file][counts[file]++] = sides[file].row;
        next_row(&sides[file], file);
      } while (sides[file].there && !compare_keys(&groups[file][0], keys[file], &sides[file].row, keys[file]));
    for (size_t a = 0; shows_pairs && a < counts[0]; a++)
      for (size_t b = 0; b < counts[1]; b++) show_join(&groups[0][a], &groups[1][b]);
    for (int file = 0; file < 2; file++) {
      for (size_t at = 0; at < counts[file]; at++) free_row(&groups[file][at]);
      free(groups[file]);
    }
  }
  for (int file = 0; file < 2; file++)
    while (sides[file].there) {
      unpaired_seen = true;
      if (shows_alone[file]) show_join(file ? NULL : &sides[0].row, file ? &sides[1].row : NULL);
      free_row(&sides[file].row);
      next_row(&sides[file], file);
    }
}

int join_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"ignore-case", NO_VALUE, 'i'}, {"check-order", NO_VALUE, 'C'},
    {"nocheck-order", NO_VALUE, 'N'}, {"header", NO_VALUE, 'H'}, {"zero-terminated", NO_VALUE, 'z'}, {0}};
  struct options options;
  bool header = false;
  options_begin(&options, argc, argv, "a:e:i1:2:j:o:t:v:z", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'v': shows_pairs = false; /* fall through */
      case 'a': shows_alone[read_file_number(options.value)] = true; break;
      case 'e': filler = options.value; break;
      case 'i': no_case = true; break;
      case '1': keys[0] = read_field(options.value); break;
      case '2': keys[1] = read_field(options.value); break;
      case 'j': keys[0] = keys[1] = read_field(options.value); break;
      case 'o': read_columns(options.value); break;
      case 't':
        if (*options.value && options.value[1] && strcmp(options.value, "\\0")) die(1, "multi-character tab %s", quote(options.value));
        field_mark = !*options.value ? 256 : options.value[1] ? 0 : (unsigned char)*options.value;
        break;
      case 'C': join_order = CHECK_ORDER; break;
      case 'N': join_order = ANY_ORDER; break;
      case 'H': header = true; break;
      case 'z': join_end = 0; break;
    }
  need_two(&options);
  static char own[2];
  own[0] = field_mark > 0 && field_mark < 256 ? (char)field_mark : ' ';
  joint_text = own;
  struct side sides[2] = {0};
  for (int file = 0; file < 2; file++) {
    sides[file].name = options.operands[file];
    reader_open(&sides[file].reader, sides[file].name);
    next_row(&sides[file], file);
    auto_counts[file] = sides[file].row.count;
  }
  if (header) {
    if (sides[0].there || sides[1].there) show_join(sides[0].there ? &sides[0].row : NULL, sides[1].there ? &sides[1].row : NULL);
    for (int file = 0; file < 2; file++) {
      free_row(&sides[file].last);
      if (sides[file].there) next_row(&sides[file], file);
    }
  }
  join_sides(sides);
  if (sides[0].reader.said || sides[1].reader.said) warn("input is not in sorted order");
  return exit_status;
}
