/* cmp */
#include "cu.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A byte as cat -t shows it. */
static const char *visible(int byte) {
  static char slots[2][8];
  static int next;
  char *to = slots[next ^= 1], *at = to;
  if (byte >= 128) *at++ = 'M', *at++ = '-', byte -= 128;
  if (byte < 32 || byte == 127) *at++ = '^', byte ^= 64;
  *at++ = (char)byte;
  *at = 0;
  return to;
}

static intmax_t read_skip(const char *text, const char *option) {
  intmax_t size;
  if (!parse_size(text, &size)) usage_error("invalid --%s value '%s'", option, text);
  return size;
}

int cmp_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"print-bytes", NO_VALUE, 'b'}, {"ignore-initial", NEEDS_VALUE, 'i'}, {"verbose", NO_VALUE, 'l'},
    {"bytes", NEEDS_VALUE, 'n'}, {"quiet", NO_VALUE, 's'}, {"silent", NO_VALUE, 's'}, {0}};
  struct options options;
  bool shows_bytes = false, all = false, silent = false;
  intmax_t skips[2] = {0}, most = INTMAX_MAX;
  /* Whatever path it was called by. */
  tool = base_of(tool);
  usage_status = warn_status = 2;
  hints_named = true;
  options_begin(&options, argc, argv, "bi:ln:s", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'b': shows_bytes = true; break;
      case 'i': {
        char *colon = strchr(options.value, ':');
        if (colon) *colon = 0;
        skips[0] = read_skip(options.value, "ignore-initial");
        skips[1] = colon ? read_skip(colon + 1, "ignore-initial") : skips[0];
        break;
      }
      case 'l': all = true; break;
      case 'n': most = read_skip(options.value, "bytes"); break;
      case 's': silent = true; break;
    }
  if (all && silent) usage_error("options -l and -s are incompatible");
  if (options.count == 0) usage_error("missing operand after '%s'", argv[argc - 1]);
  if (options.count > 4) usage_error("extra operand '%s'", options.operands[4]);
  const char *names[2] = {options.operands[0], options.count > 1 ? options.operands[1] : "-"};
  for (int at = 2; at < options.count; at++) skips[at - 2] = read_skip(options.operands[at], "ignore-initial");
  char *data[2];
  size_t lengths[2];
  for (int at = 0; at < 2; at++) {
    if (silent && strcmp(names[at], "-") && access(names[at], R_OK) < 0) return 2;
    if (!read_whole(names[at], &data[at], &lengths[at])) return 2;
    size_t skip = (uintmax_t)skips[at] < lengths[at] ? (size_t)skips[at] : lengths[at];
    data[at] += skip, lengths[at] -= skip;
  }
  size_t shorter = lengths[0] < lengths[1] ? lengths[0] : lengths[1], end = (uintmax_t)most < shorter ? (size_t)most : shorter;
  size_t line = 1;
  /* Offsets are as wide as the largest that a file could have; nobody knows how long a stream is. */
  size_t longest = 0;
  for (int at = 0; at < 2; at++)
    if (strcmp(names[at], "-") && lengths[at] > longest) longest = lengths[at];
  int digits = snprintf(NULL, 0, "%zu", (uintmax_t)most < longest ? (size_t)most : longest);
  bool differ = false;
  for (size_t at = 0; at < end; at++) {
    int a = (unsigned char)data[0][at], b = (unsigned char)data[1][at];
    if (a != b) {
      differ = true;
      if (silent) return 1;
      if (!all) {
        printf("%s %s differ: byte %zu, line %zu", names[0], names[1], at + 1, line);
        if (shows_bytes) printf(" is %3o %s %3o %s", a, visible(a), b, visible(b));
        putchar('\n');
        return 1;
      }
      if (shows_bytes) printf("%*zu %3o %-4s %3o %s\n", digits, at + 1, a, visible(a), b, visible(b));
      else printf("%*zu %3o %3o\n", digits, at + 1, a, b);
    }
    if (a == '\n') line++;
  }
  if (lengths[0] != lengths[1] && end == shorter && (uintmax_t)most > shorter) {
    differ = true;
    if (!silent) {
      const char *ended = names[lengths[1] < lengths[0]];
      const char *last = data[lengths[1] < lengths[0]];
      if (!shorter) warn("EOF on %s which is empty", name_of(ended));
      else if (all) warn("EOF on %s after byte %zu", name_of(ended), shorter);
      else if (last[shorter - 1] == '\n') warn("EOF on %s after byte %zu, line %zu", name_of(ended), shorter, line - 1);
      else warn("EOF on %s after byte %zu, in line %zu", name_of(ended), shorter, line);
    }
  }
  finish(differ ? 1 : 0);
}
