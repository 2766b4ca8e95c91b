/* shuf, cksum, link, unlink */
#include "cu.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct long_option none[] = {{0}};

static struct {
  char **lines;
  size_t *lengths;
  size_t count, room;
} all;

static void add_line(char *text, size_t length) {
  if (all.count == all.room) {
    all.room = all.room * 2 + 64;
    all.lines = regrab(all.lines, all.room * sizeof *all.lines);
    all.lengths = regrab(all.lengths, all.room * sizeof *all.lengths);
  }
  all.lines[all.count] = text;
  all.lengths[all.count++] = length;
}

static void add_range(const char *text) {
  char *end;
  unsigned long long low = strtoull(text, &end, 10), high = 0;
  bool read = end > text && *end == '-' && end[1];
  if (read) high = strtoull(end + 1, &end, 10);
  if (!read || *end || high + 1 < low) die(1, "invalid input range: %s", quote(text));
  for (; low <= high; low++) {
    char *number = format_text("%llu", low);
    add_line(number, strlen(number));
  }
}

int shuf_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"echo", NO_VALUE, 'e'}, {"input-range", NEEDS_VALUE, 'i'}, {"head-count", NEEDS_VALUE, 'n'},
    {"output", NEEDS_VALUE, 'o'}, {"repeat", NO_VALUE, 'r'}, {"zero-terminated", NO_VALUE, 'z'}, {"random-source", NEEDS_VALUE, 'R'}, {0}};
  struct options options;
  bool words = false, again = false;
  const char *range = NULL, *to = NULL;
  intmax_t most = -1;
  char end = '\n';
  options_begin(&options, argc, argv, "ei:n:o:rz", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'e') words = true;
    else if (c == 'i') range = options.value;
    else if (c == 'n') {
      if (!parse_count(options.value, &most)) die(1, "invalid line count: %s", quote(options.value));
    } else if (c == 'o') to = options.value;
    else if (c == 'r') again = true;
    else if (c == 'z') end = 0;
  if (words && range) usage_error("cannot combine -e and -i options");
  if (range && options.count) usage_error("extra operand %s", quote(options.operands[0]));
  if (!words && options.count > 1) usage_error("extra operand %s", quote(options.operands[1]));
  if (range) add_range(range);
  else if (words)
    for (int at = 0; at < options.count; at++) add_line(options.operands[at], strlen(options.operands[at]));
  else {
    struct input input;
    char *line;
    size_t length;
    if (!input_open(&input, options.count ? options.operands[0] : "-")) return 1;
    while (input_line(&input, (unsigned char)end, &line, &length)) {
      length -= line[length - 1] == end;
      add_line(copy_bytes(line, length), length);
    }
    input_close(&input);
  }
  if (to && !freopen(to, "w", stdout)) die_errno(1, "%s", quote_name(to));
  if (again && !all.count && most) die(1, "no lines to repeat");
  for (size_t at = 0; (again || at < all.count) && (most < 0 || (intmax_t)at < most); at++) {
    size_t from = again ? 0 : at, chosen = from + arc4random_uniform((uint32_t)(all.count - from));
    fwrite(all.lines[chosen], 1, all.lengths[chosen], stdout);
    if (putchar(end) < 0) break;
    if (again) continue;
    all.lines[chosen] = all.lines[at];
    all.lengths[chosen] = all.lengths[at];
  }
  return exit_status;
}

int cksum_main(int argc, char **argv) {
  struct options options;
  options_begin(&options, argc, argv, "", none);
  while (options_next(&options) != -1) continue;
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *data;
    size_t length;
    uintmax_t size = 0;
    uint32_t sum = 0;
    if (!input_open(&input, files[at])) continue;
#define ADD(byte) \
  for (uint32_t bit = 0x80, value = (byte); bit; bit >>= 1) sum = sum << 1 ^ ((sum >> 31) != !!(value & bit) ? 0x04c11db7 : 0)
    while (input_some(&input, &data, &length)) {
      for (size_t index = 0; index < length; index++) ADD((unsigned char)data[index]);
      size += length;
    }
    for (uintmax_t left = size; left; left >>= 8) ADD(left & 0xff);
#undef ADD
    input_close(&input);
    if (input.failed) continue;
    printf(options.count ? "%u %ju %s\n" : "%u %ju\n", ~sum, size, files[at]);
  }
  return exit_status;
}

static void need(const struct options *options, int count) {
  if (!options->count) usage_error("missing operand");
  if (options->count < count) usage_error("missing operand after %s", quote(options->operands[0]));
  if (options->count > count) usage_error("extra operand %s", quote(options->operands[count]));
}

int link_main(int argc, char **argv) {
  struct options options;
  options_begin(&options, argc, argv, "", none);
  while (options_next(&options) != -1) continue;
  need(&options, 2);
  if (link(options.operands[0], options.operands[1]) < 0)
    die_errno(1, "cannot create link %s to %s", quote_name(options.operands[1]), quote_name(options.operands[0]));
  return 0;
}

int unlink_main(int argc, char **argv) {
  struct options options;
  options_begin(&options, argc, argv, "", none);
  while (options_next(&options) != -1) continue;
  need(&options, 1);
  if (unlink(options.operands[0]) < 0) die_errno(1, "cannot unlink %s", quote_name(options.operands[0]));
  return 0;
}
