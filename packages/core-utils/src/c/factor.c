/* factor */
#include "cu.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t times(uint64_t a, uint64_t b, uint64_t of) { return (uint64_t)((unsigned __int128)a * b % of); }

static uint64_t power(uint64_t base, uint64_t to, uint64_t of) {
  uint64_t result = 1;
  for (base %= of; to; to >>= 1, base = times(base, base, of))
    if (to & 1) result = times(result, base, of);
  return result;
}

/* Miller and Rabin's test; with these bases it is certain below 2^64. */
static bool is_prime(uint64_t number) {
  static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (number < 2) return false;
  uint64_t odd = number - 1;
  int twos = 0;
  for (; !(odd & 1); odd >>= 1) twos++;
  for (size_t at = 0; at < sizeof bases / sizeof *bases; at++) {
    if (number % bases[at] == 0) return number == bases[at];
    uint64_t x = power(bases[at], odd, number);
    if (x == 1 || x == number - 1) continue;
    int round = 1;
    for (; round < twos && (x = times(x, x, number)) != number - 1; round++);
    if (round >= twos) return false;
  }
  return true;
}

static uint64_t common(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* Pollard's rho: some divisor of a number that is not prime. */
static uint64_t divisor_of(uint64_t number) {
  if (!(number & 1)) return 2;
  for (uint64_t step = 1;; step++) {
    uint64_t slow = 2, fast = 2, found = 1;
    while (found == 1) {
      slow = (times(slow, slow, number) + step) % number;
      for (int twice = 0; twice < 2; twice++) fast = (times(fast, fast, number) + step) % number;
      found = common(slow > fast ? slow - fast : fast - slow, number);
    }
    if (found != number) return found;
  }
}

static uint64_t factors[64];
static int factor_count;

static void collect(uint64_t number) {
  if (number < 2) return;
  if (is_prime(number)) {
    factors[factor_count++] = number;
    return;
  }
  uint64_t divisor = divisor_of(number);
  collect(divisor);
  collect(number / divisor);
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void show_factors(const char *text) {
  char *end;
  const char *digits = text;
  while (*digits == ' ') digits++;
  if (*digits == '+') digits++;
  errno = 0;
  uint64_t number = strtoull(digits, &end, 10);
  if (!isdigit((unsigned char)*digits) || *end) {
    warn("%s is not a valid positive integer", quote(text));
    return;
  }
  if (errno) {
    warn("%s is too large", quote(text));
    return;
  }
  factor_count = 0;
  uint64_t left = number;
  for (uint64_t small = 2; small < 1000 && left > 1; small++)
    for (; left % small == 0; left /= small) factors[factor_count++] = small;
  collect(left);
  qsort(factors, (size_t)factor_count, sizeof *factors, by_size);
  printf("%ju:", (uintmax_t)number);
  for (int at = 0; at < factor_count; at++) printf(" %ju", (uintmax_t)factors[at]);
  putchar('\n');
}

int factor_main(int argc, char **argv) {
  struct options options;
  options_begin(&options, argc, argv, "", NULL);
  while (options_next(&options) != -1);
  for (int at = 0; at < options.count; at++) show_factors(options.operands[at]);
  if (options.count) return exit_status;
  struct input input;
  char *line;
  size_t length;
  input_from(&input, 0, "-");
  while (input_line(&input, '\n', &line, &length)) {
    char *words = copy_bytes(line, length);
    for (char *word = strtok(words, " \t\n"); word; word = strtok(NULL, " \t\n")) show_factors(word);
    free(words);
  }
  return exit_status;
}
