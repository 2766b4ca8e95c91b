/* Options as getopt_long reads them, with its messages. */
#include "cu.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void options_begin(struct options *options, int argc, char **argv, const char *shorts, const struct long_option *longs) {
  *options = (struct options){.argc = argc, .argv = argv, .shorts = shorts, .longs = longs, .at = 1};
  options->operands = grab_zero((size_t)argc + 1, sizeof *options->operands);
}

static void take_rest(struct options *options) {
  while (options->at < options->argc) options->operands[options->count++] = options->argv[options->at++];
}

static int read_long(struct options *options, char *word) {
  char *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  const struct long_option *found = NULL;
  bool ambiguous = false;
  for (const struct long_option *one = options->longs; one && one->name; one++) {
    if (strncmp(one->name, word, length)) continue;
    if (strlen(one->name) == length) {
      found = one, ambiguous = false;
      break;
    }
    if (found && (found->id != one->id || found->takes != one->takes)) ambiguous = true;
    if (!found) found = one;
  }
  if (ambiguous) {
    fprintf(stderr, "%s: option '--%s' is ambiguous; possibilities:", tool, word);
    for (const struct long_option *one = options->longs; one->name; one++)
      if (!strncmp(one->name, word, length)) fprintf(stderr, " '--%s'", one->name);
    fputc('\n', stderr);
    try_help();
  }
  if (!found) usage_error("unrecognized option '--%s'", word);
  options->value = equals ? equals + 1 : NULL;
  if (equals && found->takes == NO_VALUE) usage_error("option '--%s' doesn't allow an argument", found->name);
  if (!equals && found->takes == NEEDS_VALUE) {
    if (options->at >= options->argc) usage_error("option '--%s' requires an argument", found->name);
    options->value = options->argv[options->at++];
  }
  return found->id;
}

static int read_short(struct options *options) {
  char letter = *options->cluster++;
  const char *known = letter == ':' || letter == '+' ? NULL : strchr(options->shorts, letter);
  if (!known) usage_error("invalid option -- '%c'", letter);
  options->value = NULL;
  if (known[1] == ':') {
    if (*options->cluster) options->value = (char *)options->cluster;
    else if (known[2] != ':') {
      if (options->at >= options->argc) usage_error("option requires an argument -- '%c'", letter);
      options->value = options->argv[options->at++];
    }
    options->cluster = NULL;
  } else if (!*options->cluster) options->cluster = NULL;
  return (unsigned char)letter;
}

int options_next(struct options *options) {
  if (options->cluster) return read_short(options);
  while (options->at < options->argc) {
    char *word = options->argv[options->at++];
    if (word[0] != '-' || !word[1]) {
      options->operands[options->count++] = word;
      if (options->shorts[0] == '+') take_rest(options);
      continue;
    }
    if (word[1] != '-') {
      options->cluster = word + 1;
      return read_short(options);
    }
    if (word[2]) return read_long(options, word + 2);
    take_rest(options);
  }
  return -1;
}

int choose_word(const char *option, const char *word, const char *const *words) {
  size_t length = strlen(word);
  int found = -1;
  for (int at = 0; words[at]; at++) {
    if (!strcmp(words[at], word)) return at;
    if (!strncmp(words[at], word, length)) found = found == -1 ? at : -2;
  }
  if (found >= 0) return found;
  warn("%s argument %s for %s", found == -2 ? "ambiguous" : "invalid", quote(word), quote(option));
  fprintf(stderr, "Valid arguments are:\n");
  for (int at = 0; words[at]; at++) fprintf(stderr, "  - %s\n", quote(words[at]));
  try_help();
}

bool parse_count(const char *text, intmax_t *count) {
  char *end;
  if (*text == '+') text++;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  *count = strtoimax(text, &end, 10);
  if (errno) *count = INTMAX_MAX;
  return !*end;
}

bool parse_size(const char *text, intmax_t *size) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  *size = strtoimax(text, &end, 10);
  if (errno) *size = INTMAX_MAX;
  if (!*end) return true;
  if (!strcmp(end, "b")) return *size = *size > INTMAX_MAX / 512 ? INTMAX_MAX : *size * 512, true;
  if (!strcmp(end, "c")) return true;
  const char *letters = "KMGTPEZY", *letter = strchr(letters, *end == 'k' ? 'K' : *end);
  if (!letter) return false;
  int base = !end[1] || !strcmp(end + 1, "iB") ? 1024 : !strcmp(end + 1, "B") ? 1000 : 0;
  if (!base) return false;
  for (int power = (int)(letter - letters) + 1; power; power--)
    *size = *size > INTMAX_MAX / base ? INTMAX_MAX : *size * base;
  return true;
}
