/* cut and paste */
#include "cu.h"
#include <stdlib.h>
#include <string.h>

struct range {
  uintmax_t low, high;
};
static struct range *ranges;
static size_t range_count;

static int by_low(const void *a, const void *b) {
  const struct range *x = a, *y = b;
  return x->low < y->low ? -1 : x->low > y->low;
}

static void read_list(const char *list, bool fields) {
  const char *what = fields ? "field" : "byte/character";
  for (const char *at = list;;) {
    char *end;
    struct range range = {1, UINTMAX_MAX};
    bool low = false, high = false;
    if (*at >= '0' && *at <= '9') range.low = range.high = strtoull(at, &end, 10), at = end, low = true;
    if (*at == '-') {
      at++;
      range.high = UINTMAX_MAX;
      if (*at >= '0' && *at <= '9') range.high = strtoull(at, &end, 10), at = end, high = true;
      if (!low && !high) usage_error("invalid range with no endpoint: -");
    } else if (!low && *at && *at != ',' && *at != ' ')
      usage_error("invalid %s %s", fields ? "field value" : "byte/character position", quote(at));
    if (*at && *at != ',' && *at != ' ' && *at != '\t')
      usage_error("invalid %s %s", fields ? "field value" : "byte/character position", quote(at));
    if (range.low == 0 || (!low && !high)) {
      if (fields) usage_error("fields are numbered from 1");
      usage_error("byte/character positions are numbered from 1");
    }
    if (range.high < range.low) usage_error("invalid decreasing range");
    (void)what;
    ranges = regrab(ranges, sizeof *ranges * (range_count + 1));
    ranges[range_count++] = range;
    if (!*at) break;
    at++;
  }
}

static void arrange(bool complement) {
  qsort(ranges, range_count, sizeof *ranges, by_low);
  size_t kept = 0;
  for (size_t at = 0; at < range_count; at++)
    if (kept && ranges[at].low <= ranges[kept - 1].high) {
      if (ranges[at].high > ranges[kept - 1].high) ranges[kept - 1].high = ranges[at].high;
    } else ranges[kept++] = ranges[at];
  range_count = kept;
  if (!complement) return;
  struct range *turned = grab(sizeof *turned * (range_count + 1));
  uintmax_t from = 1;
  kept = 0;
  for (size_t at = 0; at < range_count; at++) {
    if (ranges[at].low > from) turned[kept++] = (struct range){from, ranges[at].low - 1};
    from = ranges[at].high == UINTMAX_MAX ? 0 : ranges[at].high + 1;
    if (!from) break;
  }
  if (from) turned[kept++] = (struct range){from, UINTMAX_MAX};
  ranges = turned;
  range_count = kept;
}

static void cut_bytes(const char *line, size_t length, const char *joint) {
  bool first = true;
  for (size_t at = 0; at < range_count && ranges[at].low <= length; at++) {
    if (!first && joint) fputs(joint, stdout);
    size_t high = ranges[at].high < length ? (size_t)ranges[at].high : length;
    fwrite(line + ranges[at].low - 1, 1, high - (size_t)ranges[at].low + 1, stdout);
    first = false;
  }
}

static void cut_fields(const char *line, size_t length, char delimiter, const char *joint) {
  uintmax_t number = 1;
  size_t range = 0;
  bool first = true;
  for (const char *at = line, *end = line + length; range < range_count; number++) {
    const char *stop = memchr(at, delimiter, (size_t)(end - at));
    if (!stop) stop = end;
    while (range < range_count && ranges[range].high < number) range++;
    if (range < range_count && ranges[range].low <= number) {
      if (!first) fputs(joint, stdout);
      fwrite(at, 1, (size_t)(stop - at), stdout);
      first = false;
    }
    if (stop == end) break;
    at = stop + 1;
  }
}

int cut_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"bytes", NEEDS_VALUE, 'b'}, {"characters", NEEDS_VALUE, 'c'}, {"fields", NEEDS_VALUE, 'f'},
    {"delimiter", NEEDS_VALUE, 'd'}, {"only-delimited", NO_VALUE, 's'}, {"output-delimiter", NEEDS_VALUE, 'o'},
    {"complement", NO_VALUE, 'C'}, {"zero-terminated", NO_VALUE, 'z'}, {0}};
  struct options options;
  char delimiter = '\t', end = '\n';
  int kind = 0;
  bool only = false, complement = false, delimited = false;
  const char *joint = NULL, *list = NULL;
  options_begin(&options, argc, argv, "b:c:d:f:nsz", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'b': case 'c': case 'f':
        if (kind) usage_error("only one list may be specified");
        kind = c, list = options.value;
        break;
      case 'd':
        if (*options.value && options.value[1]) usage_error("the delimiter must be a single character");
        delimiter = *options.value, delimited = true;
        break;
      case 's': only = true; break;
      case 'o': joint = options.value; break;
      case 'C': complement = true; break;
      case 'z': end = 0; break;
    }
  if (!kind) usage_error("you must specify a list of bytes, characters, or fields");
  if (delimited && kind != 'f') usage_error("an input delimiter may be specified only when operating on fields");
  if (only && kind != 'f') usage_error("suppressing non-delimited lines makes sense\n\tonly when operating on fields");
  read_list(list, kind == 'f');
  arrange(complement);
  char **files = options.count ? options.operands : NO_FILES;
  char own[2] = {delimiter, 0};
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *line;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    if (kind == 'f' && delimiter == end) {
      /* The whole input is one line, and its lines are the fields. */
      line = input_rest(&input, &length);
      if (length && line[length - 1] == end) length--;
      if (memchr(line, delimiter, length)) cut_fields(line, length, delimiter, joint ? joint : own), putchar(end);
      else if (length && !only) fwrite(line, 1, length, stdout), putchar(end);
      free(line);
      input_close(&input);
      continue;
    }
    while (input_line(&input, end, &line, &length)) {
      if (line[length - 1] == end) length--;
      if (kind != 'f') cut_bytes(line, length, joint);
      else if (!memchr(line, delimiter, length)) {
        if (only) continue;
        fwrite(line, 1, length, stdout);
      } else cut_fields(line, length, delimiter, joint ? joint : own);
      putchar(end);
    }
    input_close(&input);
  }
  return exit_status;
}

int paste_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"delimiters", NEEDS_VALUE, 'd'}, {"serial", NO_VALUE, 's'}, {"zero-terminated", NO_VALUE, 'z'}, {0}};
  struct options options;
  const char *list = "\t";
  bool serial = false;
  char end = '\n';
  options_begin(&options, argc, argv, "d:sz", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'd') list = options.value;
    else if (c == 's') serial = true;
    else end = 0;
  char *joints = grab(strlen(list) + 2);
  int joint_count = 0;
  for (const char *at = list; *at; at++)
    if (*at == '\\' && at[1]) {
      at++;
      joints[joint_count++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == '0' ? -128 : *at == 'b' ? '\b' : *at == 'r' ? '\r' : *at;
    } else joints[joint_count++] = *at;
  if (!joint_count) joints[joint_count++] = -128;
#define JOIN(index) (joints[(index) % joint_count] != -128 ? (void)putchar(joints[(index) % joint_count]) : (void)0)
  char **files = options.count ? options.operands : NO_FILES;
  int count = options.count ? options.count : 1;
  struct input *inputs = grab_zero((size_t)count, sizeof *inputs);
  struct input standard;
  input_from(&standard, 0, "-");
  bool *open = grab_zero((size_t)count, sizeof *open);
  char *line;
  size_t length;
  for (int at = 0; at < count; at++) {
    open[at] = !strcmp(files[at], "-") || input_open(&inputs[at], files[at]);
    if (!open[at] && !serial) finish(1);
  }
#define INPUT(at) (strcmp(files[at], "-") ? &inputs[at] : &standard)
  if (serial) {
    for (int at = 0; at < count; at++) {
      if (!open[at]) continue;
      for (int index = 0; input_line(INPUT(at), end, &line, &length); index++) {
        if (index) JOIN(index - 1);
        fwrite(line, 1, length - (line[length - 1] == end), stdout);
      }
      putchar(end);
    }
    return exit_status;
  }
  for (;;) {
    bool some = false;
    struct buffer row = {0};
    for (int at = 0; at < count; at++) {
      if (at && joints[(at - 1) % joint_count] != -128) buffer_byte(&row, joints[(at - 1) % joint_count]);
      if (open[at] && input_line(INPUT(at), end, &line, &length)) some = true, buffer_add(&row, line, length - (line[length - 1] == end));
      else open[at] = false;
    }
    if (!some) break;
    fwrite(row.data, 1, row.length, stdout);
    putchar(end);
    free(row.data);
  }
  return exit_status;
}
