/* sort and uniq */
#include "cu.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct order {
  bool blanks, dictionary, fold, general, human, month, number, version, reverse, printing, random;
};
struct key {
  size_t field, start, end_field, end_start;
  bool skip_start, skip_end, own;
  struct order order;
};
struct line {
  char *text;
  size_t length;
};
static struct key *keys;
static int key_count;
static struct order global;
static int separator = -1;
static bool stable, unique, merging;

static size_t skip_blanks(const char *text, size_t at, size_t end) {
  while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')) at++;
  return at;
}

/* Where field number `field` (from 0) begins. */
static size_t field_start(const struct line *line, size_t field) {
  size_t at = 0;
  while (at < line->length && field--) {
    if (separator >= 0) {
      while (at < line->length && (unsigned char)line->text[at] != separator) at++;
      if (at < line->length) at++;
    } else {
      at = skip_blanks(line->text, at, line->length);
      while (at < line->length && line->text[at] != ' ' && line->text[at] != '\t') at++;
    }
  }
  return at;
}

static size_t key_start(const struct line *line, const struct key *key) {
  size_t at = field_start(line, key->field);
  if (key->skip_start) at = skip_blanks(line->text, at, line->length);
  at += key->start;
  return at < line->length ? at : line->length;
}

static size_t key_end(const struct line *line, const struct key *key) {
  if (key->end_field == SIZE_MAX) return line->length;
  if (key->end_start == 0) {
    /* To the end of the field. */
    size_t at = field_start(line, key->end_field);
    if (separator >= 0) {
      while (at < line->length && (unsigned char)line->text[at] != separator) at++;
    } else {
      at = skip_blanks(line->text, at, line->length);
      while (at < line->length && line->text[at] != ' ' && line->text[at] != '\t') at++;
    }
    return at;
  }
  size_t at = field_start(line, key->end_field);
  if (key->skip_end) at = skip_blanks(line->text, at, line->length);
  at += key->end_start;
  return at < line->length ? at : line->length;
}

/* Numbers of any length, as texts. */
static int compare_numbers(const char *a, const char *a_end, const char *b, const char *b_end) {
  while (a < a_end && (*a == ' ' || *a == '\t')) a++;
  while (b < b_end && (*b == ' ' || *b == '\t')) b++;
  bool a_minus = a < a_end && *a == '-', b_minus = b < b_end && *b == '-';
  a += a_minus, b += b_minus;
  while (a < a_end && *a == '0') a++;
  while (b < b_end && *b == '0') b++;
  const char *a_digits = a, *b_digits = b;
  while (a < a_end && isdigit((unsigned char)*a)) a++;
  while (b < b_end && isdigit((unsigned char)*b)) b++;
  size_t a_length = (size_t)(a - a_digits), b_length = (size_t)(b - b_digits);
  int result = a_length != b_length ? (a_length < b_length ? -1 : 1) : memcmp(a_digits, b_digits, a_length);
  const char *a_point = a < a_end && *a == '.' ? a + 1 : a_end, *b_point = b < b_end && *b == '.' ? b + 1 : b_end;
  bool a_zero = !a_length, b_zero = !b_length;
  int fraction = 0;
  for (;; a_point++, b_point++) {
    int x = a_point < a_end && isdigit((unsigned char)*a_point) ? *a_point : 0, y = b_point < b_end && isdigit((unsigned char)*b_point) ? *b_point : 0;
    if (!x && !y) break;
    if (x > '0') a_zero = false;
    if (y > '0') b_zero = false;
    x = x ? x : '0', y = y ? y : '0';
    if (!fraction && x != y) fraction = x - y;
    if (a_point >= a_end) a_point = a_end - 1;
    if (b_point >= b_end) b_point = b_end - 1;
    if (x == '0' && y == '0' && a_point >= a_end - 1 && b_point >= b_end - 1) break;
  }
  if (!result) result = fraction;
  if (a_zero) a_minus = false;
  if (b_zero) b_minus = false;
  if (a_minus != b_minus) return a_minus ? -1 : 1;
  return a_minus ? -result : result;
}

static int unit_of(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  bool minus = at < end && *at == '-', nonzero = false;
  at += minus;
  for (; at < end && (isdigit((unsigned char)*at) || *at == '.'); at++) nonzero |= *at > '0';
  const char *letters = "KMGTPEZY", *found = at < end && *at ? strchr(letters, *at == 'k' ? 'K' : *at) : NULL;
  int unit = found && nonzero ? (int)(found - letters) + 1 : 0;
  return minus ? -unit : unit;
}

static int month_of(const char *at, const char *end) {
  static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  for (int month = 0; month < 12 && end - at >= 3; month++) {
    int same = 0;
    while (same < 3 && toupper((unsigned char)at[same]) == names[month * 3 + same]) same++;
    if (same == 3) return month + 1;
  }
  return 0;
}

static double general_of(const char *at, const char *end, int *class) {
  char *text = copy_bytes(at, (size_t)(end - at)), *stop;
  double value = strtod(text, &stop);
  *class = stop == text ? 0 : value != value ? 1 : 2;
  free(text);
  return value;
}

/* Versions: parts of digits by their value, other bytes with letters first and ~ before all. */
static int version_rank(const char *at, const char *end) {
  if (at >= end || isdigit((unsigned char)*at)) return 0;
  unsigned char c = (unsigned char)*at;
  return isalpha(c) ? c : c == '~' ? -1 : c + 256;
}

static int compare_versions(const char *a, const char *a_end, const char *b, const char *b_end) {
  while (a < a_end || b < b_end) {
    while ((a < a_end && !isdigit((unsigned char)*a)) || (b < b_end && !isdigit((unsigned char)*b))) {
      int x = version_rank(a, a_end), y = version_rank(b, b_end);
      if (x != y) return x - y;
      a++, b++;
    }
    while (a < a_end && *a == '0') a++;
    while (b < b_end && *b == '0') b++;
    int first = 0;
    while (a < a_end && b < b_end && isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      if (!first) first = *a - *b;
      a++, b++;
    }
    if (a < a_end && isdigit((unsigned char)*a)) return 1;
    if (b < b_end && isdigit((unsigned char)*b)) return -1;
    if (first) return first;
  }
  return 0;
}

static int compare_text(const char *a, size_t a_length, const char *b, size_t b_length, const struct order *order) {
  if (!order->fold && !order->dictionary && !order->printing) {
    int result = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return result ? result : a_length < b_length ? -1 : a_length > b_length;
  }
  size_t x = 0, y = 0;
#define LEFT_OUT(c) ((order->dictionary && !isalnum(c) && (c) != ' ' && (c) != '\t') || (order->printing && !isprint(c)))
  for (;; x++, y++) {
    while (x < a_length && LEFT_OUT((unsigned char)a[x])) x++;
    while (y < b_length && LEFT_OUT((unsigned char)b[y])) y++;
    if (x >= a_length || y >= b_length) return (x < a_length) - (y < b_length);
    int c = (unsigned char)a[x], d = (unsigned char)b[y];
    if (order->fold) c = toupper(c), d = toupper(d);
    if (c != d) return c - d;
  }
}

static int compare_part(const struct order *order, const char *a, const char *a_end, const char *b, const char *b_end) {
  if (order->number) return compare_numbers(a, a_end, b, b_end);
  if (order->human) {
    int x = unit_of(a, a_end), y = unit_of(b, b_end);
    return x != y ? x - y : compare_numbers(a, a_end, b, b_end);
  }
  if (order->month) return month_of(a, a_end) - month_of(b, b_end);
  if (order->general) {
    int x, y;
    double left = general_of(a, a_end, &x), right = general_of(b, b_end, &y);
    return x != y ? x - y : x < 2 ? 0 : left < right ? -1 : left > right;
  }
  if (order->version) return compare_versions(a, a_end, b, b_end);
  return compare_text(a, (size_t)(a_end - a), b, (size_t)(b_end - b), order);
}

static int compare_keys(const struct line *a, const struct line *b) {
  for (int at = 0; at < key_count; at++) {
    const struct key *key = &keys[at];
    size_t a_start = key_start(a, key), b_start = key_start(b, key), a_end = key_end(a, key), b_end = key_end(b, key);
    if (a_end < a_start) a_end = a_start;
    if (b_end < b_start) b_end = b_start;
    int result = compare_part(&key->order, a->text + a_start, a->text + a_end, b->text + b_start, b->text + b_end);
    if (result) return key->order.reverse ? -result : result;
  }
  return 0;
}

static int compare_lines(const struct line *a, const struct line *b) {
  int result = key_count ? compare_keys(a, b) : 0;
  if (result || (key_count && (unique || stable))) return result;
  static const struct order plain;
  result = compare_text(a->text, a->length, b->text, b->length, &plain);
  return global.reverse ? -result : result;
}

/* Merging keeps equals in their order, which qsort does not promise. */
static void sort_lines(struct line *lines, struct line *room, size_t count) {
  if (count < 2) return;
  size_t half = count / 2;
  sort_lines(lines, room, half);
  sort_lines(lines + half, room, count - half);
  if (compare_lines(&lines[half - 1], &lines[half]) <= 0) return;
  memcpy(room, lines, half * sizeof *lines);
  for (size_t left = 0, right = half, to = 0; left < half;)
    lines[to++] = right < count && compare_lines(&room[left], &lines[right]) > 0 ? lines[right++] : room[left++];
}

/* Files that are sorted already, each from `starts[n]` on: the least of their first lines comes next. */
static void merge_lines(struct line *lines, size_t count, size_t *starts, int files) {
  struct line *from = grab((count + 1) * sizeof *from);
  size_t *ends = grab(((size_t)files + 1) * sizeof *ends);
  memcpy(from, lines, count * sizeof *from);
  for (int at = 0; at < files; at++) ends[at] = at + 1 < files ? starts[at + 1] : count;
  for (size_t to = 0; to < count; to++) {
    int least = -1;
    for (int at = 0; at < files; at++)
      if (starts[at] < ends[at] && (least < 0 || compare_lines(&from[starts[at]], &from[starts[least]]) < 0)) least = at;
    lines[to] = from[starts[least]++];
  }
  free(from);
  free(ends);
}

static bool set_order(struct order *order, int letter, struct key *key, bool end) {
  switch (letter) {
    case 'b': if (key && end) key->skip_end = true; else if (key) key->skip_start = true; else order->blanks = true; return true;
    case 'd': return order->dictionary = true;
    case 'f': return order->fold = true;
    case 'g': return order->general = true;
    case 'h': return order->human = true;
    case 'i': return order->printing = true;
    case 'M': return order->month = true;
    case 'n': return order->number = true;
    case 'r': return order->reverse = true;
    case 'R': return order->random = true;
    case 'V': return order->version = true;
  }
  return false;
}

static void add_key(const char *text) {
  struct key key = {.end_field = SIZE_MAX};
  char *at;
  if (!isdigit((unsigned char)*text)) die(2, "invalid number at field start: invalid count at start of %s", quote(text));
  key.field = strtoul(text, &at, 10);
  if (!key.field) die(2, "field number is zero: invalid field specification %s", quote(text));
  key.field--;
  if (*at == '.') {
    if (!isdigit((unsigned char)at[1])) die(2, "invalid number after '.': invalid count at start of %s", quote(at + 1));
    key.start = strtoul(at + 1, &at, 10);
    if (!key.start) die(2, "character offset is zero: invalid field specification %s", quote(text));
    key.start--;
  }
  while (*at && set_order(&key.order, *at, &key, false)) at++, key.own = true;
  if (*at == ',') {
    if (!isdigit((unsigned char)at[1])) die(2, "invalid number after ',': invalid count at start of %s", quote(at + 1));
    key.end_field = strtoul(at + 1, &at, 10);
    if (!key.end_field) die(2, "field number is zero: invalid field specification %s", quote(text));
    key.end_field--;
    if (*at == '.') key.end_start = strtoul(at + 1, &at, 10);
    while (*at && set_order(&key.order, *at, &key, true)) at++, key.own = true;
  }
  if (*at) die(2, "stray character in field spec: invalid field specification %s", quote(text));
  keys = regrab(keys, sizeof *keys * (size_t)(key_count + 1));
  keys[key_count++] = key;
}

int sort_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"ignore-leading-blanks", NO_VALUE, 'b'}, {"dictionary-order", NO_VALUE, 'd'}, {"ignore-case", NO_VALUE, 'f'},
    {"general-numeric-sort", NO_VALUE, 'g'}, {"human-numeric-sort", NO_VALUE, 'h'}, {"ignore-nonprinting", NO_VALUE, 'i'}, {"month-sort", NO_VALUE, 'M'},
    {"numeric-sort", NO_VALUE, 'n'}, {"reverse", NO_VALUE, 'r'}, {"version-sort", NO_VALUE, 'V'}, {"check", MAY_HAVE_VALUE, 'c'}, {"key", NEEDS_VALUE, 'k'},
    {"merge", NO_VALUE, 'm'}, {"output", NEEDS_VALUE, 'o'}, {"stable", NO_VALUE, 's'}, {"buffer-size", NEEDS_VALUE, 'S'}, {"field-separator", NEEDS_VALUE, 't'},
    {"temporary-directory", NEEDS_VALUE, 'T'}, {"unique", NO_VALUE, 'u'}, {"zero-terminated", NO_VALUE, 'z'}, {"parallel", NEEDS_VALUE, 'S'}, {0}};
  struct options options;
  int check = 0;
  char end = '\n';
  const char *output = NULL;
  usage_status = warn_status = 2;
  options_begin(&options, argc, argv, "bcCdfghik:mMno:rRsS:t:T:uVyz", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'c': check = options.value && strncmp(options.value, "diag", 4) ? 'C' : 'c'; break;
      case 'C': check = 'C'; break;
      case 'k': add_key(options.value); break;
      case 'm': merging = true; break;
      case 'o': output = options.value; break;
      case 's': stable = true; break;
      case 't':
        if (!*options.value) die(2, "empty tab");
        if (!strcmp(options.value, "\\0")) separator = 0;
        else if (options.value[1]) die(2, "multi-character tab %s", quote(options.value));
        else separator = (unsigned char)*options.value;
        break;
      case 'u': unique = true; break;
      case 'z': end = 0; break;
      case 'S': case 'T': case 'y': break;
      default: set_order(&global, c, NULL, false);
    }
  for (int at = 0; at < key_count; at++)
    if (!keys[at].own) keys[at].order = global, keys[at].skip_start = keys[at].skip_end = global.blanks;
  struct order none = {.reverse = global.reverse};
  if (!key_count && memcmp(&none, &global, sizeof none)) {
    keys = grab_zero(1, sizeof *keys);
    keys[0] = (struct key){.end_field = SIZE_MAX, .order = global, .skip_start = global.blanks};
    key_count = 1;
  }
  if (check && options.count > 1) die(2, "extra operand %s not allowed with -%c", quote(options.operands[1]), check);
  char **files = options.count ? options.operands : NO_FILES;
  size_t count = 0, room = 1024;
  struct line *lines = grab(room * sizeof *lines);
  size_t *starts = grab(((size_t)options.count + 1) * sizeof *starts);
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    char *data;
    size_t length;
    starts[at] = count;
    if (strcmp(files[at], "-") && access(files[at], R_OK) < 0) die(2, "cannot read: %s: %s", name_of(files[at]), strerror(errno));
    if (is_directory(files[at])) die(2, "read failed: %s: Is a directory", name_of(files[at]));
    if (!read_whole(files[at], &data, &length)) finish(2);
    for (size_t from = 0; from < length;) {
      char *stop = memchr(data + from, end, length - from);
      size_t size = stop ? (size_t)(stop - data) - from : length - from;
      if (count == room) lines = regrab(lines, (room *= 2) * sizeof *lines);
      lines[count++] = (struct line){data + from, size};
      from += size + 1;
    }
  }
  if (check) {
    for (size_t at = 1; at < count; at++) {
      int result = compare_lines(&lines[at - 1], &lines[at]);
      if (result < (unique ? 0 : 1)) continue;
      if (check == 'c') fprintf(stderr, "%s: %s:%zu: disorder: %.*s\n", tool, files[0], at + 1, (int)lines[at].length, lines[at].text);
      return 1;
    }
    return 0;
  }
  struct line *spare = grab((count / 2 + 1) * sizeof *spare);
  if (merging) merge_lines(lines, count, starts, options.count ? options.count : 1);
  else sort_lines(lines, spare, count);
  FILE *to = output ? fopen(output, "w") : stdout;
  if (!to) die_errno(2, "open failed: %s", name_of(output));
  for (size_t at = 0; at < count; at++) {
    if (unique && at && !compare_lines(&lines[at - 1], &lines[at])) {
      lines[at] = lines[at - 1];
      continue;
    }
    fwrite(lines[at].text, 1, lines[at].length, to);
    putc(end, to);
  }
  if (output && fclose(to)) die_errno(2, "write failed: %s", name_of(output));
  return exit_status;
}

int uniq_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"count", NO_VALUE, 'c'}, {"repeated", NO_VALUE, 'd'}, {"all-repeated", MAY_HAVE_VALUE, 'D'},
    {"skip-fields", NEEDS_VALUE, 'f'}, {"group", MAY_HAVE_VALUE, 'G'}, {"ignore-case", NO_VALUE, 'i'}, {"skip-chars", NEEDS_VALUE, 's'},
    {"unique", NO_VALUE, 'u'}, {"zero-terminated", NO_VALUE, 'z'}, {"check-chars", NEEDS_VALUE, 'w'}, {0}};
  static const char *const methods[] = {"none", "prepend", "separate", NULL}, *const groups[] = {"prepend", "append", "separate", "both", NULL};
  struct options options;
  bool counts = false, repeated = false, singles = false, all = false;
  int method = 0, group = -1;
  intmax_t skip_fields = 0, skip_chars = 0, check = INTMAX_MAX;
  struct order order = {0};
  char end = '\n';
  options_begin(&options, argc, argv, "cdDf:is:uw:z", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'c': counts = true; break;
      case 'd': repeated = true; break;
      case 'D': all = true, method = options.value ? choose_word("--all-repeated", options.value, methods) : 0; break;
      case 'G': group = options.value ? choose_word("--group", options.value, groups) : 2; break;
      case 'f': if (!parse_count(options.value, &skip_fields)) die(1, "%s: invalid number of fields to skip", options.value); break;
      case 's': if (!parse_count(options.value, &skip_chars)) die(1, "%s: invalid number of bytes to skip", options.value); break;
      case 'w': if (!parse_count(options.value, &check)) die(1, "%s: invalid number of bytes to compare", options.value); break;
      case 'i': order.fold = true; break;
      case 'u': singles = true; break;
      case 'z': end = 0; break;
    }
  if (options.count > 2) usage_error("extra operand %s", quote(options.operands[2]));
  if (group >= 0 && (counts || repeated || singles || all)) usage_error("--group is mutually exclusive with -c/-d/-D/-u");
  if (all && counts) usage_error("printing all duplicated lines and repeat counts is meaningless");
  char *data;
  size_t length;
  if (!read_whole(options.count ? options.operands[0] : "-", &data, &length)) return 1;
  FILE *to = options.count == 2 && strcmp(options.operands[1], "-") ? fopen(options.operands[1], "w") : stdout;
  if (!to) die_errno(1, "%s", name_of(options.operands[1]));
  bool first_group = true;
  for (size_t at = 0; at < length;) {
    struct line first = {0};
    long same = 0;
    size_t from = at, part = 0, part_length = 0;
    for (; at < length; same++) {
      char *stop = memchr(data + at, end, length - at);
      size_t size = stop ? (size_t)(stop - data) - at : length - at, key = 0;
      for (intmax_t skip = skip_fields; skip > 0 && key < size; skip--) {
        while (key < size && (data[at + key] == ' ' || data[at + key] == '\t')) key++;
        while (key < size && data[at + key] != ' ' && data[at + key] != '\t') key++;
      }
      key += (intmax_t)(size - key) < skip_chars ? size - key : (size_t)skip_chars;
      size_t key_length = (intmax_t)(size - key) > check ? (size_t)check : size - key;
      if (!same) first = (struct line){data + at, size}, part = at + key, part_length = key_length;
      else if (compare_text(data + part, part_length, data + at + key, key_length, &order)) break;
      at += size + 1;
    }
    if (group >= 0) {
      if (group == 0 || group == 3 ? true : group == 2 && !first_group) if (group != 3 || first_group) putc(end, to);
      fwrite(data + from, 1, (at < length ? at : length) - from, to);
      if (at >= length && data[length - 1] != end) putc(end, to);
      if (group == 1 || group == 3) putc(end, to);
    } else if (all) {
      if (same < 2) continue;
      if (method == 1 || (method == 2 && !first_group)) putc(end, to);
      fwrite(data + from, 1, (at < length ? at : length) - from, to);
      if (at >= length && data[length - 1] != end) putc(end, to);
    } else {
      if ((repeated && same < 2) || (singles && same > 1)) continue;
      if (counts) fprintf(to, "%7ld ", same);
      fwrite(first.text, 1, first.length, to);
      putc(end, to);
    }
    first_group = false;
  }
  if (to != stdout && fclose(to)) die_errno(1, "write error");
  return exit_status;
}
