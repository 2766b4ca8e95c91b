/* base64 and base32 */
#include "cu.h"
#include <stdlib.h>
#include <string.h>

struct code {
  const char *letters;
  int bits, bytes, signs; /* of a letter; bytes and letters of a group */
};
static const struct code base64 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 3, 4};
static const struct code base32 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 5, 8};

static uintmax_t wrap, column;

static void put_wrapped(char c) {
  putchar(c);
  if (wrap && ++column == wrap) putchar('\n'), column = 0;
}

static void encode(const struct code *code, struct input *input) {
  for (int byte = 0; byte >= 0;) {
    uint64_t group = 0;
    int count = 0;
    for (; count < code->bytes && (byte = input_byte(input)) >= 0; count++) group |= (uint64_t)byte << (8 * (code->bytes - 1 - count));
    if (!count) break;
    int signs = (count * 8 + code->bits - 1) / code->bits;
    for (int at = 0; at < code->signs; at++)
      put_wrapped(at < signs ? code->letters[group >> (code->bits * (code->signs - 1 - at)) & ((1u << code->bits) - 1)] : '=');
  }
  if (wrap && column) putchar('\n');
}

/* False: it was wrong somewhere. What came before is written. */
static bool decode(const struct code *code, struct input *input, bool ignores) {
  uint64_t group = 0;
  int count = 0, pads = 0;
  for (int byte; (byte = input_byte(input)) >= 0;) {
    if (byte == '\n') continue;
    const char *sign = byte ? strchr(code->letters, byte) : NULL;
    if (byte == '=' && count) pads++;
    else if (sign && !pads) group = group << code->bits | (uint64_t)(sign - code->letters), count++;
    else if (!ignores || (sign && pads)) {
      group <<= (code->signs - count) * code->bits;
      for (int at = 0; at < count * code->bits / 8; at++) putchar((int)(group >> (8 * (code->bytes - 1 - at)) & 0xff));
      return false;
    }
    if (count + pads < code->signs) continue;
    int bytes = count * code->bits / 8;
    group <<= pads * code->bits;
    for (int at = 0; at < bytes; at++) putchar((int)(group >> (8 * (code->bytes - 1 - at)) & 0xff));
    if (bytes * 8 + code->bits <= count * code->bits) return false;
    group = 0, count = pads = 0;
  }
  if (!count) return true;
  group <<= (code->signs - count) * code->bits;
  for (int at = 0; at < count * code->bits / 8; at++) putchar((int)(group >> (8 * (code->bytes - 1 - at)) & 0xff));
  return false;
}

static int code_main(int argc, char **argv, const struct code *code) {
  static const struct long_option longs[] = {{"decode", NO_VALUE, 'd'}, {"ignore-garbage", NO_VALUE, 'i'}, {"wrap", NEEDS_VALUE, 'w'}, {0}};
  struct options options;
  bool decodes = false, ignores = false;
  wrap = 76;
  options_begin(&options, argc, argv, "diw:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'd') decodes = true;
    else if (c == 'i') ignores = true;
    else {
      intmax_t width;
      if (!parse_count(options.value, &width)) die(1, "invalid wrap size: %s", quote(options.value));
      wrap = (uintmax_t)width;
    }
  if (options.count > 1) usage_error("extra operand %s", quote(options.operands[1]));
  struct input input;
  if (!input_open(&input, options.count ? options.operands[0] : "-")) return exit_status;
  if (!decodes) encode(code, &input);
  else if (!decode(code, &input, ignores)) warn("invalid input");
  return exit_status;
}

int base64_main(int argc, char **argv) { return code_main(argc, argv, &base64); }
int base32_main(int argc, char **argv) { return code_main(argc, argv, &base32); }
