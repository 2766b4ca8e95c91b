/* md5sum, sha1sum, sha224sum, sha256sum, sha384sum and sha512sum */
#include "cu.h"
#include <stdlib.h>
#include <string.h>

/* One message digest, block after block. Words are 32 bits, but 64 for SHA-512. */
struct digest {
  uint64_t state[8];
  uint8_t block[128];
  size_t filled;
  uint64_t length;
};

struct algorithm {
  const char *name, *tag;
  size_t bytes, block;
  bool big;
  uint64_t start[8];
  void (*mix)(uint64_t *state, const uint8_t *block);
};

static uint32_t left(uint32_t x, int by) { return x << by | x >> (32 - by); }
static uint32_t right(uint32_t x, int by) { return x >> by | x << (32 - by); }
static uint64_t right64(uint64_t x, int by) { return x >> by | x << (64 - by); }

/* The fractional parts of |sin n|, as MD5 has them. */
static const uint32_t sines[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
  0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
  0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
  0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
  0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
  0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/* Fractional parts of the cube roots of the first primes: SHA-512's, whose upper halves are SHA-256's. */
static const uint64_t roots[80] = {
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019,
  0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3,
  0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65, 0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
  0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b, 0xa2bfe8a14cf10364, 0xa81a664bbc423001,
  0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb,
  0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c, 0xd186b8c721c0c207,
  0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a,
  0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

static uint32_t big_word(const uint8_t *at) { return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]; }

static void mix_md5(uint64_t *state, const uint8_t *block) {
  static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t words[16], a = (uint32_t)state[0], b = (uint32_t)state[1], c = (uint32_t)state[2], d = (uint32_t)state[3];
  for (int at = 0; at < 16; at++) words[at] = __builtin_bswap32(big_word(block + at * 4));
  for (int at = 0; at < 64; at++) {
    int round = at / 16;
    uint32_t mixed = round == 0 ? (b & c) | (~b & d) : round == 1 ? (d & b) | (~d & c) : round == 2 ? b ^ c ^ d : c ^ (b | ~d);
    int word = round == 0 ? at : round == 1 ? (5 * at + 1) % 16 : round == 2 ? (3 * at + 5) % 16 : 7 * at % 16;
    uint32_t next = b + left(a + mixed + sines[at] + words[word], turns[round][at % 4]);
    a = d, d = c, c = b, b = next;
  }
  uint32_t sums[4] = {a, b, c, d};
  for (int at = 0; at < 4; at++) state[at] = (uint32_t)(state[at] + sums[at]);
}

static void mix_sha1(uint64_t *state, const uint8_t *block) {
  uint32_t words[80], a = (uint32_t)state[0], b = (uint32_t)state[1], c = (uint32_t)state[2], d = (uint32_t)state[3], e = (uint32_t)state[4];
  for (int at = 0; at < 80; at++)
    words[at] = at < 16 ? big_word(block + at * 4) : left(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1);
  for (int at = 0; at < 80; at++) {
    int round = at / 20;
    uint32_t mixed = round == 0 ? ((b & c) | (~b & d)) + 0x5a827999 : round == 1 ? (b ^ c ^ d) + 0x6ed9eba1
      : round == 2 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
    uint32_t next = left(a, 5) + mixed + e + words[at];
    e = d, d = c, c = left(b, 30), b = a, a = next;
  }
  uint32_t sums[5] = {a, b, c, d, e};
  for (int at = 0; at < 5; at++) state[at] = (uint32_t)(state[at] + sums[at]);
}

static void mix_sha256(uint64_t *state, const uint8_t *block) {
  uint32_t words[64], now[8];
  for (int at = 0; at < 8; at++) now[at] = (uint32_t)state[at];
  for (int at = 0; at < 64; at++) {
    if (at < 16) words[at] = big_word(block + at * 4);
    else {
      uint32_t x = words[at - 15], y = words[at - 2];
      words[at] = words[at - 16] + words[at - 7] + (right(x, 7) ^ right(x, 18) ^ x >> 3) + (right(y, 17) ^ right(y, 19) ^ y >> 10);
    }
    uint32_t a = now[0], e = now[4];
    uint32_t one = now[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & now[5]) ^ (~e & now[6])) + (uint32_t)(roots[at] >> 32) + words[at];
    uint32_t two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));
    memmove(now + 1, now, 7 * sizeof *now);
    now[4] += one, now[0] = one + two;
  }
  for (int at = 0; at < 8; at++) state[at] = (uint32_t)(state[at] + now[at]);
}

static void mix_sha512(uint64_t *state, const uint8_t *block) {
  uint64_t words[80], now[8];
  memcpy(now, state, sizeof now);
  for (int at = 0; at < 80; at++) {
    if (at < 16) words[at] = (uint64_t)big_word(block + at * 8) << 32 | big_word(block + at * 8 + 4);
    else {
      uint64_t x = words[at - 15], y = words[at - 2];
      words[at] = words[at - 16] + words[at - 7] + (right64(x, 1) ^ right64(x, 8) ^ x >> 7) + (right64(y, 19) ^ right64(y, 61) ^ y >> 6);
    }
    uint64_t a = now[0], e = now[4];
    uint64_t one = now[7] + (right64(e, 14) ^ right64(e, 18) ^ right64(e, 41)) + ((e & now[5]) ^ (~e & now[6])) + roots[at] + words[at];
    uint64_t two = (right64(a, 28) ^ right64(a, 34) ^ right64(a, 39)) + ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));
    memmove(now + 1, now, 7 * sizeof *now);
    now[4] += one, now[0] = one + two;
  }
  for (int at = 0; at < 8; at++) state[at] += now[at];
}

static const struct algorithm algorithms[] = {
  {"md5sum", "MD5", 16, 64, false, {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, mix_md5},
  {"sha1sum", "SHA1", 20, 64, true, {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, mix_sha1},
  {"sha256sum", "SHA256", 32, 64, true,
    {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, mix_sha256},
  {"sha512sum", "SHA512", 64, 128, true,
    {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}, mix_sha512},
  {"sha224sum", "SHA224", 28, 64, true,
    {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4}, mix_sha256},
  {"sha384sum", "SHA384", 48, 128, true,
    {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
      0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4}, mix_sha512},
};

static void digest_add(const struct algorithm *algorithm, struct digest *digest, const uint8_t *data, size_t length) {
  digest->length += length;
  while (length) {
    size_t room = algorithm->block - digest->filled, some = length < room ? length : room;
    memcpy(digest->block + digest->filled, data, some);
    digest->filled += some, data += some, length -= some;
    if (digest->filled < algorithm->block) return;
    algorithm->mix(digest->state, digest->block);
    digest->filled = 0;
  }
}

/* The digest in hexadecimal. */
static void digest_end(const struct algorithm *algorithm, struct digest *digest, char *to) {
  uint64_t bits = digest->length * 8;
  uint8_t end = 0x80, none = 0, size[8];
  digest_add(algorithm, digest, &end, 1);
  /* SHA-512 counts in 16 bytes, of which the upper eight are nothing. */
  size_t counter = algorithm->block / 8;
  while (digest->filled != algorithm->block - counter) digest_add(algorithm, digest, &none, 1);
  for (; counter > 8; counter--) digest_add(algorithm, digest, &none, 1);
  for (int at = 0; at < 8; at++) size[at] = (uint8_t)(bits >> (algorithm->big ? 56 - 8 * at : 8 * at));
  digest_add(algorithm, digest, size, 8);
  size_t word = algorithm->block == 128 ? 8 : 4;
  for (size_t at = 0; at < algorithm->bytes; at++) {
    size_t shift = 8 * (algorithm->big ? word - 1 - at % word : at % word);
    sprintf(to + 2 * at, "%02x", (unsigned)(digest->state[at / word] >> shift & 0xff));
  }
}

/* False, after a message, if the file cannot be read. */
static bool digest_file(const struct algorithm *algorithm, const char *name, char *to) {
  struct input input;
  char *data;
  size_t length;
  struct digest digest = {0};
  memcpy(digest.state, algorithm->start, sizeof digest.state);
  if (!input_open(&input, name)) return false;
  while (input_some(&input, &data, &length)) digest_add(algorithm, &digest, (const uint8_t *)data, length);
  input_close(&input);
  digest_end(algorithm, &digest, to);
  return !input.failed;
}

static void show_name(const char *name, bool escaped) {
  for (; *name; name++)
    if (escaped && *name == '\n') fputs("\\n", stdout);
    else if (escaped && *name == '\r') fputs("\\r", stdout);
    else if (escaped && *name == '\\') fputs("\\\\", stdout);
    else putchar(*name);
}

/* "HASH  name", "HASH *name" or "TAG (name) = HASH"; the name, and the hash. NULL: it is none of them. */
static char *read_sum_line(const struct algorithm *algorithm, char *line, char **hash) {
  size_t digits = algorithm->bytes * 2, tag = strlen(algorithm->tag);
  while (*line == ' ' || *line == '\t') line++;
  if (*line == '\\') line++;
  if (!strncmp(line, algorithm->tag, tag) && !strncmp(line + tag, " (", 2)) {
    char *end = strrchr(line, ')');
    if (!end || strncmp(end, ") = ", 4)) return NULL;
    *end = 0;
    *hash = end + 4;
    return strspn(*hash, "0123456789abcdefABCDEF") == digits && !(*hash)[digits] ? line + tag + 2 : NULL;
  }
  if (strspn(line, "0123456789abcdefABCDEF") != digits || line[digits] != ' ') return NULL;
  line[digits] = 0;
  *hash = line;
  /* With one blank only, the name begins behind it. */
  if (line[digits + 1] != ' ' && line[digits + 1] != '*') return line[digits + 1] ? line + digits + 1 : NULL;
  return line[digits + 2] ? line + digits + 2 : NULL;
}

struct checking {
  bool quiet, silent, warns, strict, ignores_missing;
};

static void check_sums(const struct algorithm *algorithm, const char *list, struct checking how) {
  struct input input;
  char *line;
  size_t length;
  uintmax_t wrong = 0, unreadable = 0, malformed = 0, number = 0, good = 0, lines = 0;
  if (!input_open(&input, list)) return;
  const char *shown = strcmp(list, "-") ? list : "standard input";
  while (input_line(&input, '\n', &line, &length)) {
    number++;
    char *copy = copy_bytes(line, length - (line[length - 1] == '\n')), *hash, found[129];
    if (*copy == '#') continue;
    char *name = read_sum_line(algorithm, copy, &hash);
    if (!name) {
      malformed++;
      if (how.warns) {
        warn("%s: %ju: improperly formatted %s checksum line", name_of(shown), number, algorithm->tag);
        exit_status = 0;
      }
      continue;
    }
    lines++;
    struct stat about;
    if (how.ignores_missing && stat(name, &about) < 0) continue;
    if (!digest_file(algorithm, name, found)) {
      unreadable++;
      if (!how.silent) printf("%s: FAILED open or read\n", name);
      continue;
    }
    bool same = !strncasecmp(found, hash, algorithm->bytes * 2);
    if (same) good++;
    else wrong++;
    if (how.silent || (same && how.quiet)) continue;
    printf("%s: %s\n", name, same ? "OK" : "FAILED");
  }
  input_close(&input);
  fflush(stdout);
  if (!lines) {
    warn("%s: no properly formatted checksum lines found", name_of(shown));
    return;
  }
#define COUNTED(count, one, many) \
  if (count && !how.silent) warn("WARNING: %ju %s", count, count == 1 ? one : many)
  COUNTED(malformed, "line is improperly formatted", "lines are improperly formatted");
  if (malformed && !how.strict && !unreadable && !wrong) exit_status = 0;
  COUNTED(unreadable, "listed file could not be read", "listed files could not be read");
  COUNTED(wrong, "computed checksum did NOT match", "computed checksums did NOT match");
  if (how.ignores_missing && !good && !wrong) warn("%s: no file was verified", name_of(shown));
  if (wrong || unreadable) exit_status = 1;
}

static int sums_main(int argc, char **argv, const struct algorithm *algorithm) {
  static const struct long_option longs[] = {{"binary", NO_VALUE, 'b'}, {"text", NO_VALUE, 't'}, {"check", NO_VALUE, 'c'},
    {"tag", NO_VALUE, 'T'}, {"quiet", NO_VALUE, 'q'}, {"status", NO_VALUE, 'S'}, {"warn", NO_VALUE, 'w'}, {"strict", NO_VALUE, 'R'},
    {"ignore-missing", NO_VALUE, 'M'}, {"zero", NO_VALUE, 'z'}, {0}};
  struct options options;
  struct checking how = {0};
  bool checks = false, binary = false, tags = false;
  char end = '\n';
  options_begin(&options, argc, argv, "bctwz", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'b': binary = true; break;
      case 't': binary = false; break;
      case 'c': checks = true; break;
      case 'T': tags = true; break;
      case 'q': how.quiet = true; break;
      case 'S': how.silent = true; break;
      case 'w': how.warns = true; break;
      case 'R': how.strict = true; break;
      case 'M': how.ignores_missing = true; break;
      case 'z': end = 0; break;
    }
  if (tags && checks) usage_error("the --tag option is meaningless when verifying checksums");
  if (!checks) {
    const char *only = how.quiet ? "quiet" : how.silent ? "status" : how.warns ? "warn" : how.strict ? "strict" : how.ignores_missing ? "ignore-missing" : NULL;
    if (only) usage_error("the --%s option is meaningful only when verifying checksums", only);
  }
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    char hash[129];
    if (checks) {
      check_sums(algorithm, files[at], how);
      continue;
    }
    if (!digest_file(algorithm, files[at], hash)) continue;
    bool escaped = end && strpbrk(files[at], "\\\n\r");
    if (escaped) putchar('\\');
    if (tags) {
      printf("%s (", algorithm->tag), show_name(files[at], escaped), printf(") = %s", hash);
    } else printf("%s %c", hash, binary ? '*' : ' '), show_name(files[at], escaped);
    putchar(end);
  }
  return exit_status;
}

int md5sum_main(int argc, char **argv) { return sums_main(argc, argv, &algorithms[0]); }
int sha1sum_main(int argc, char **argv) { return sums_main(argc, argv, &algorithms[1]); }
int sha256sum_main(int argc, char **argv) { return sums_main(argc, argv, &algorithms[2]); }
int sha512sum_main(int argc, char **argv) { return sums_main(argc, argv, &algorithms[3]); }
int sha224sum_main(int argc, char **argv) { return sums_main(argc, argv, &algorithms[4]); }
int sha384sum_main(int argc, char **argv) { return sums_main(argc, argv, &algorithms[5]); }
