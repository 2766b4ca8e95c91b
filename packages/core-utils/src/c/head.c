/* head and tail */
#include "cu.h"
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void banner(const char *name, bool *first) {
  printf("%s==> %s <==\n", *first ? "" : "\n", !strcmp(name, "-") ? "standard input" : name);
  *first = false;
}

static bool open_for(struct input *input, const char *name) {
  if (!strcmp(name, "-")) return input_from(input, 0, name), true;
  int fd = open(name, O_RDONLY);
  if (fd < 0) return warn_errno("cannot open %s for reading", quote_name(name)), false;
  input_from(input, fd, name);
  return true;
}

/* "-5" or "-5c" as the first word, as of old. */
static char **modern(int *argc, char **argv, const char *prefixes) {
  if (*argc < 2 || !strchr(prefixes, argv[1][0]) || !isdigit((unsigned char)argv[1][1])) return argv;
  char *end = argv[1] + 1 + strspn(argv[1] + 1, "0123456789");
  if (strspn(end, "clbkmqvf") != strlen(end)) return argv;
  if (argv[0] == tool && !strcmp(base_of(tool), "tail") && *argc > 3) die(1, "option used in invalid context -- %c", argv[1][1]);
  char **words = grab_zero((size_t)*argc + 4, sizeof *words);
  int count = 0;
  words[count++] = argv[0];
  const char *sign = argv[1][0] == '+' ? "+" : "";
  const char *unit = strchr(end, 'b') ? "b" : strchr(end, 'k') ? "k" : strchr(end, 'm') ? "M" : "";
  words[count++] = format_text("-%c%s%.*s%s", strpbrk(end, "cbkm") ? 'c' : 'n', sign, (int)(end - argv[1] - 1), argv[1] + 1, unit);
  if (strchr(end, 'q')) words[count++] = "-q";
  if (strchr(end, 'v')) words[count++] = "-v";
  if (strchr(end, 'f')) words[count++] = "-f";
  for (int at = 2; at < *argc; at++) words[count++] = argv[at];
  *argc = count;
  return words;
}

static void head_lines(struct input *input, intmax_t count, int delimiter) {
  char *line;
  size_t length;
  while (count-- > 0 && input_line(input, delimiter, &line, &length)) fwrite(line, 1, length, stdout);
}

static void head_bytes(struct input *input, intmax_t count) {
  char *data;
  size_t length;
  while (count > 0 && input_some(input, &data, &length)) {
    if ((intmax_t)length > count) length = (size_t)count;
    fwrite(data, 1, length, stdout);
    count -= (intmax_t)length;
  }
}

/* Where the last `count` lines begin. */
static size_t last_lines(const char *data, size_t length, intmax_t count, int delimiter) {
  if (count <= 0) return length;
  size_t at = length && data[length - 1] == delimiter ? length - 1 : length;
  while (at > 0)
    if (data[--at] == delimiter && --count == 0) return at + 1;
  return 0;
}

static intmax_t read_number(const char *option, const char *text, const char *what) {
  intmax_t number;
  const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
  if (!parse_size(digits, &number)) die(1, "invalid number of %s: %s", what, quote(option));
  return number;
}

int head_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"bytes", NEEDS_VALUE, 'c'}, {"lines", NEEDS_VALUE, 'n'}, {"quiet", NO_VALUE, 'q'},
    {"silent", NO_VALUE, 'q'}, {"verbose", NO_VALUE, 'v'}, {"zero-terminated", NO_VALUE, 'z'}, {0}};
  struct options options;
  intmax_t count = 10;
  bool bytes = false, from_end = false;
  int banners = -1, delimiter = '\n';
  argv = modern(&argc, argv, "-");
  options_begin(&options, argc, argv, "c:n:qvz", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'c' || c == 'n') {
      bytes = c == 'c';
      from_end = *options.value == '-';
      count = read_number(options.value + from_end, options.value, bytes ? "bytes" : "lines");
    } else if (c == 'q') banners = 0;
    else if (c == 'v') banners = 1;
    else delimiter = 0;
  if (banners < 0) banners = options.count > 1;
  char **files = options.count ? options.operands : NO_FILES;
  bool first = true;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    if (!open_for(&input, files[at])) continue;
    if (banners) banner(files[at], &first);
    if (is_directory(files[at]) && strcmp(files[at], "-")) {
      warn("error reading %s: Is a directory", quote_name(files[at]));
      input_close(&input);
      continue;
    }
    if (from_end) {
      size_t length;
      char *data = input_rest(&input, &length);
      size_t keep = !bytes ? last_lines(data, length, count, delimiter) : (intmax_t)length > count ? length - (size_t)count : 0;
      fwrite(data, 1, keep, stdout);
      free(data);
    } else if (bytes) head_bytes(&input, count);
    else head_lines(&input, count, delimiter);
    input_close(&input);
  }
  return exit_status;
}

/* Waits for what is added to a file, for ever. */
static void follow_files(char **files, int count, off_t *sizes, double pause) {
  int shown = count - 1;
  for (;;) {
    fflush(stdout);
    struct timespec wait = {(time_t)pause, (long)((pause - (double)(time_t)pause) * 1e9)};
    nanosleep(&wait, NULL);
    for (int at = 0; at < count; at++) {
      struct stat about;
      if (stat(files[at], &about) < 0 || about.st_size == sizes[at]) continue;
      if (about.st_size < sizes[at]) warn("%s: file truncated", name_of(files[at])), sizes[at] = 0;
      int fd = open(files[at], O_RDONLY);
      if (fd < 0) continue;
      if (count > 1 && shown != at) printf("\n==> %s <==\n", files[at]);
      shown = at;
      lseek(fd, sizes[at], SEEK_SET);
      char data[8192];
      for (ssize_t length; (length = read(fd, data, sizeof data)) > 0; sizes[at] += length) fwrite(data, 1, (size_t)length, stdout);
      close(fd);
    }
  }
}

int tail_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"bytes", NEEDS_VALUE, 'c'}, {"lines", NEEDS_VALUE, 'n'}, {"quiet", NO_VALUE, 'q'},
    {"silent", NO_VALUE, 'q'}, {"verbose", NO_VALUE, 'v'}, {"zero-terminated", NO_VALUE, 'z'}, {"follow", MAY_HAVE_VALUE, 'f'},
    {"sleep-interval", NEEDS_VALUE, 's'}, {"retry", NO_VALUE, 'r'}, {"pid", NEEDS_VALUE, 'p'}, {0}};
  struct options options;
  intmax_t count = 10;
  bool bytes = false, from_start = false, follows = false;
  int banners = -1, delimiter = '\n';
  /* As soon as GNU, whose kernel tells it. */
  double pause = 0.1;
  argv = modern(&argc, argv, "-+");
  options_begin(&options, argc, argv, "c:n:qvzfFs:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'c' || c == 'n') {
      bytes = c == 'c';
      from_start = *options.value == '+';
      count = read_number(options.value, options.value, bytes ? "bytes" : "lines");
    } else if (c == 'q') banners = 0;
    else if (c == 'v') banners = 1;
    else if (c == 'z') delimiter = 0;
    else if (c == 'f' || c == 'F') follows = true;
    else if (c == 's') pause = atof(options.value);
  if (banners < 0) banners = options.count > 1;
  char **files = options.count ? options.operands : NO_FILES;
  int files_count = options.count ? options.count : 1;
  if (count == 0 && !from_start && !follows) return 0;
  off_t *sizes = grab_zero((size_t)files_count, sizeof *sizes);
  bool first = true;
  for (int at = 0; at < files_count; at++) {
    struct input input;
    if (!open_for(&input, files[at])) continue;
    if (banners) banner(files[at], &first);
    if (is_directory(files[at]) && strcmp(files[at], "-")) {
      warn("error reading %s: Is a directory", quote_name(files[at]));
      input_close(&input);
      continue;
    }
    size_t length, start = 0;
    char *data = input_rest(&input, &length);
    if (from_start && bytes) start = count > 0 ? (size_t)count - 1 : 0;
    else if (from_start)
      for (intmax_t left = count - 1; left > 0 && start < length; left--) {
        char *end = memchr(data + start, delimiter, length - start);
        start = end ? (size_t)(end - data) + 1 : length;
      }
    else if (bytes) start = (intmax_t)length > count ? length - (size_t)count : 0;
    else start = last_lines(data, length, count, delimiter);
    if (start < length) fwrite(data + start, 1, length - start, stdout);
    sizes[at] = (off_t)length;
    free(data);
    input_close(&input);
  }
  if (follows && options.count) follow_files(files, files_count, sizes, pause);
  return exit_status;
}
