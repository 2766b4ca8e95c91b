/* tr: bytes, as GNU's */
#include "cu.h"
#include <ctype.h>
#include <string.h>

struct list {
  unsigned char bytes[65536];
  int count;
  int fill_at; /* where [x*] stretches; -1: nowhere */
  unsigned char fill;
  int classes; /* upper or lower, in the order in which they stand */
  bool has_class;
};

static int escaped(const char **at) {
  if (**at != '\\' || !(*at)[1]) return (unsigned char)*(*at)++;
  char byte;
  (*at)++;
  if (**at == 'x' || **at == 'e') return (unsigned char)*(*at)++;
  int used = read_escape(*at, &byte);
  if (!used) return (unsigned char)*(*at)++;
  *at += used;
  return (unsigned char)byte;
}

static void add(struct list *to, int byte) {
  if (to->count < (int)sizeof to->bytes) to->bytes[to->count++] = (unsigned char)byte;
}

static bool add_class(struct list *to, const char *name, size_t length) {
  static const struct {
    const char *name;
    int (*has)(int);
  } classes[] = {{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl}, {"digit", isdigit}, {"graph", isgraph},
    {"lower", islower}, {"print", isprint}, {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};
  for (size_t at = 0; at < sizeof classes / sizeof *classes; at++)
    if (strlen(classes[at].name) == length && !memcmp(classes[at].name, name, length)) {
      to->has_class = true;
      for (int byte = 0; byte < 128; byte++)
        if (classes[at].has(byte)) add(to, byte);
      return true;
    }
  return false;
}

static void read_list(struct list *to, const char *text) {
  to->count = 0, to->fill_at = -1;
  for (const char *at = text; *at;) {
    if (at[0] == '[' && at[1] == ':') {
      const char *close = strstr(at + 2, ":]");
      if (close) {
        if (!add_class(to, at + 2, (size_t)(close - at - 2))) die(1, "invalid character class %s", quote(copy_bytes(at + 2, (size_t)(close - at - 2))));
        at = close + 2;
        continue;
      }
    }
    if (at[0] == '[' && at[1] == '=' && at[2] && at[3] == '=' && at[4] == ']') {
      add(to, (unsigned char)at[2]);
      at += 5;
      continue;
    }
    if (at[0] == '[' && at[1]) {
      const char *inside = at + 1;
      int byte = escaped(&inside);
      if (*inside == '*') {
        const char *digits = inside + 1;
        size_t length = strspn(digits, "0123456789");
        if (digits[length] == ']') {
          long count = 0;
          for (size_t index = 0; index < length; index++) count = count * (*digits == '0' ? 8 : 10) + digits[index] - '0';
          if (!count) to->fill_at = to->count, to->fill = (unsigned char)byte;
          while (count-- > 0) add(to, byte);
          at = digits + length + 1;
          continue;
        }
      }
    }
    int low = escaped(&at);
    if (*at == '-' && at[1]) {
      at++;
      int high = escaped(&at);
      if (high < low) die(1, "range-endpoints of '%c-%c' are in reverse collating sequence order", low, high);
      for (; low <= high; low++) add(to, low);
    } else add(to, low);
  }
}

int tr_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"complement", NO_VALUE, 'c'}, {"delete", NO_VALUE, 'd'}, {"squeeze-repeats", NO_VALUE, 's'}, {"truncate-set1", NO_VALUE, 't'}, {0}};
  static struct list from, to;
  struct options options;
  bool complement = false, deletes = false, squeezes = false, truncates = false;
  options_begin(&options, argc, argv, "+cCdst", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'd') deletes = true;
    else if (c == 's') squeezes = true;
    else if (c == 't') truncates = true;
    else complement = true;
  int needed = deletes == squeezes ? 2 : 1;
  if (!options.count) usage_error("missing operand");
  if (options.count < needed) {
    warn("missing operand after %s", quote(options.operands[options.count - 1]));
    fprintf(stderr, deletes ? "Two strings must be given when both deleting and squeezing repeats.\n" : "Two strings must be given when translating.\n");
    try_help();
  }
  int most = deletes && !squeezes ? 1 : 2;
  if (options.count > most) {
    warn("extra operand %s", quote(options.operands[most]));
    if (most == 1) fprintf(stderr, "Only one string may be given when deleting without squeezing repeats.\n");
    try_help();
  }
  bool translates = !deletes && options.count == 2;
  read_list(&from, options.operands[0]);
  bool in_first[256] = {0}, in_second[256] = {0}, squeezed[256];
  for (int at = 0; at < from.count; at++) in_first[from.bytes[at]] = true;
  if (complement) {
    from.count = 0;
    for (int byte = 0; byte < 256; byte++)
      if ((in_first[byte] = !in_first[byte])) add(&from, byte);
  }
  unsigned char map[256];
  for (int byte = 0; byte < 256; byte++) map[byte] = (unsigned char)byte;
  if (options.count == 2) {
    read_list(&to, options.operands[1]);
    if (to.fill_at >= 0 && to.count < from.count) {
      int more = from.count - to.count;
      memmove(to.bytes + to.fill_at + more, to.bytes + to.fill_at, (size_t)(to.count - to.fill_at));
      memset(to.bytes + to.fill_at, to.fill, (size_t)more);
      to.count += more;
    }
    if (translates) {
      if (!to.count && !truncates && from.count) die(1, "when not truncating set1, string2 must be non-empty");
      for (int at = 0; at < from.count; at++)
        if (at < to.count) map[from.bytes[at]] = to.bytes[at];
        else if (!truncates) map[from.bytes[at]] = to.bytes[to.count - 1];
    }
    for (int at = 0; at < to.count; at++) in_second[to.bytes[at]] = true;
  }
  memcpy(squeezed, options.count == 2 ? in_second : in_first, sizeof squeezed);
  struct input input;
  char *data;
  size_t length;
  int last = -1;
  input_from(&input, 0, "-");
  while (input_some(&input, &data, &length)) {
    size_t kept = 0;
    for (size_t at = 0; at < length; at++) {
      unsigned char byte = (unsigned char)data[at];
      if (deletes && in_first[byte]) continue;
      byte = map[byte];
      if (squeezes && byte == last && squeezed[byte]) continue;
      last = byte;
      data[kept++] = (char)byte;
    }
    fwrite(data, 1, kept, stdout);
    fflush(stdout);
  }
  return exit_status;
}
