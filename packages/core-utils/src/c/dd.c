/* dd, truncate */
#include "cu.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  const char *from, *to;
  intmax_t in_block, out_block, count, skip, seek;
  bool keeps, only_there, only_new, syncs, goes_on, appends, full_blocks, upper, lower, swaps, count_bytes, skip_bytes, seek_bytes, direct_output;
  char status; /* 0, x noxfer, n none */
} dd = {.in_block = 512, .out_block = 512, .count = -1};

/* "3", "2k", "2x512": a product of numbers with suffixes. */
static intmax_t read_size(const char *text) {
  intmax_t all = 1;
  text += strspn(text, " \t");
  for (char *word = copy_text(text), *next; word; word = next) {
    intmax_t size;
    next = strchr(word, 'x');
    if (next == word) next = strchr(word + 1, 'x');
    if (next) *next++ = 0;
    size_t length = strlen(word);
    bool words = length > 1 && word[length - 1] == 'w', one = length > 1 && word[length - 1] == 'c';
    if (words || one) word[length - 1] = 0;
    if (!parse_size(word, &size)) die(1, "invalid number: %s", quote(text));
    all *= words ? size * 2 : size;
  }
  return all;
}

static void read_flags(char *list) {
  for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
    if (!strcmp(word, "notrunc")) dd.keeps = true;
    else if (!strcmp(word, "nocreat")) dd.only_there = true;
    else if (!strcmp(word, "excl")) dd.only_new = true;
    else if (!strcmp(word, "sync")) dd.syncs = true;
    else if (!strcmp(word, "noerror")) dd.goes_on = true;
    else if (!strcmp(word, "append")) dd.appends = true;
    else if (!strcmp(word, "fullblock")) dd.full_blocks = true;
    else if (!strcmp(word, "ucase")) dd.upper = true;
    else if (!strcmp(word, "lcase")) dd.lower = true;
    else if (!strcmp(word, "swab")) dd.swaps = true;
    else if (!strcmp(word, "count_bytes")) dd.count_bytes = true;
    else if (!strcmp(word, "skip_bytes")) dd.skip_bytes = true;
    else if (!strcmp(word, "seek_bytes")) dd.seek_bytes = true;
    else if (strcmp(word, "fsync") && strcmp(word, "fdatasync") && strcmp(word, "sparse")) usage_error("invalid conversion: %s", quote(word));
  }
}

static void convert(char *data, size_t length) {
  for (size_t at = 0; at < length; at++) {
    if (dd.upper && data[at] >= 'a' && data[at] <= 'z') data[at] = (char)(data[at] - 32);
    if (dd.lower && data[at] >= 'A' && data[at] <= 'Z') data[at] = (char)(data[at] + 32);
  }
  if (dd.swaps)
    for (size_t at = 0; at + 1 < length; at += 2) {
      char first = data[at];
      data[at] = data[at + 1], data[at + 1] = first;
    }
}

static ssize_t read_block(int fd, char *data, size_t size, bool full) {
  size_t length = 0;
  do {
    ssize_t some = read(fd, data + length, size - length);
    if (some < 0) return length ? (ssize_t)length : -1;
    if (!some) break;
    length += (size_t)some;
  } while (full && length < size);
  return (ssize_t)length;
}

static void write_all(int fd, const char *data, size_t length) {
  for (size_t at = 0; at < length;) {
    ssize_t some = write(fd, data + at, length - at);
    if (some <= 0) die_errno(1, "error writing %s", quote_name(dd.to ? dd.to : "standard output"));
    at += (size_t)some;
  }
}

static void skip_input(int fd, intmax_t bytes) {
  if (lseek(fd, (off_t)bytes, SEEK_CUR) >= 0) return;
  char data[4096];
  for (ssize_t some; bytes > 0 && (some = read(fd, data, bytes < 4096 ? (size_t)bytes : sizeof data)) > 0; bytes -= some);
}

static void say_amount(intmax_t bytes, double seconds) {
  fprintf(stderr, "%jd byte%s", bytes, bytes == 1 ? "" : "s");
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  double size = (double)bytes;
  int unit = 0, binary_unit = 0;
  while (size >= 1000 && unit < 4) size /= 1000, unit++;
  if (unit) {
    double binary = (double)bytes;
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    while (binary >= 1024 && binary_unit < 4) binary /= 1024, binary_unit++;
    fprintf(stderr, size < 10 ? " (%.1f %s" : " (%.0f %s", size, units[unit]);
    if (binary_unit) fprintf(stderr, binary < 10 ? ", %.1f %s" : ", %.0f %s", binary, names[binary_unit]);
    fputc(')', stderr);
  }
  double rate = seconds > 0 ? (double)bytes / seconds : 0;
  unit = 0;
  while (rate >= 1000 && unit < 4) rate /= 1000, unit++;
  fprintf(stderr, " copied, %g s, ", (double)(long)(seconds * 1e6) / 1e6);
  fprintf(stderr, rate < 10 ? "%.1f %s/s\n" : "%.0f %s/s\n", rate, units[unit]);
}

int dd_main(int argc, char **argv) {
  for (int at = 1; at < argc; at++) {
    char *equals = strchr(argv[at], '='), *value = equals + 1;
    if (!strcmp(argv[at], "--")) continue;
    if (!equals) usage_error("unrecognized operand %s", quote(argv[at]));
    *equals = 0;
    const char *name = argv[at];
    if (!strcmp(name, "if")) dd.from = value;
    else if (!strcmp(name, "of")) dd.to = value;
    else if (!strcmp(name, "bs")) dd.in_block = dd.out_block = read_size(value), dd.direct_output = true;
    else if (!strcmp(name, "ibs")) dd.in_block = read_size(value);
    else if (!strcmp(name, "obs")) dd.out_block = read_size(value);
    else if (!strcmp(name, "cbs")) continue;
    else if (!strcmp(name, "count")) dd.count = read_size(value), dd.count_bytes |= *value && value[strlen(value) - 1] == 'B';
    else if (!strcmp(name, "skip") || !strcmp(name, "iseek")) dd.skip = read_size(value), dd.skip_bytes |= *value && value[strlen(value) - 1] == 'B';
    else if (!strcmp(name, "seek") || !strcmp(name, "oseek")) dd.seek = read_size(value), dd.seek_bytes |= *value && value[strlen(value) - 1] == 'B';
    else if (!strcmp(name, "conv") || !strcmp(name, "iflag") || !strcmp(name, "oflag")) read_flags(value);
    else if (!strcmp(name, "status")) dd.status = !strcmp(value, "none") ? 'n' : !strcmp(value, "noxfer") ? 'x' : 0;
    else *equals = '=', usage_error("unrecognized operand %s", quote(name));
  }
  if (dd.in_block < 1 || dd.out_block < 1) die(1, "invalid number: %s", quote("0"));
  int in = dd.from ? open(dd.from, O_RDONLY) : 0;
  if (in < 0) die_errno(1, "failed to open %s", quote_name(dd.from));
  intmax_t begin = dd.seek * (dd.seek_bytes ? 1 : dd.out_block);
  int how = O_WRONLY | (dd.only_there ? 0 : O_CREAT) | (dd.only_new ? O_EXCL : 0) | (dd.keeps || dd.seek || dd.appends ? 0 : O_TRUNC);
  int out = dd.to ? open(dd.to, how | (dd.appends ? O_APPEND : 0), 0666) : 1;
  if (out < 0) die_errno(1, "failed to open %s", quote_name(dd.to));
  if (dd.seek && !dd.keeps && !dd.appends && dd.to) (void)!ftruncate(out, (off_t)begin);
  if (dd.seek && lseek(out, (off_t)begin, SEEK_CUR) < 0) {
    char *zeros = grab_zero(1, (size_t)dd.out_block);
    for (intmax_t left = begin; left > 0; left -= dd.out_block) write_all(out, zeros, (size_t)(left < dd.out_block ? left : dd.out_block));
    free(zeros);
  }
  if (dd.skip) skip_input(in, dd.skip * (dd.skip_bytes ? 1 : dd.in_block));
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  char *data = grab((size_t)dd.in_block);
  struct buffer waiting = {0};
  intmax_t whole_in = 0, part_in = 0, whole_out = 0, part_out = 0, bytes = 0, left = dd.count;
  while (left != 0) {
    size_t wanted = dd.count_bytes && left > 0 && left < dd.in_block ? (size_t)left : (size_t)dd.in_block;
    ssize_t length = read_block(in, data, wanted, dd.full_blocks);
    if (length < 0) {
      warn_errno("error reading %s", quote_name(dd.from ? dd.from : "standard input"));
      break;
    }
    if (!length) break;
    if (left > 0) left -= dd.count_bytes ? length : 1;
    *(length == (ssize_t)dd.in_block ? &whole_in : &part_in) += 1;
    if (dd.syncs && length < dd.in_block) memset(data + length, 0, (size_t)(dd.in_block - length)), length = (ssize_t)dd.in_block;
    convert(data, (size_t)length);
    bytes += length;
    if (dd.direct_output) {
      write_all(out, data, (size_t)length);
      *(length == (ssize_t)dd.out_block ? &whole_out : &part_out) += 1;
      continue;
    }
    buffer_add(&waiting, data, (size_t)length);
    size_t ready = waiting.length / (size_t)dd.out_block * (size_t)dd.out_block;
    if (!ready) continue;
    write_all(out, waiting.data, ready);
    whole_out += (intmax_t)(ready / (size_t)dd.out_block);
    memmove(waiting.data, waiting.data + ready, waiting.length -= ready);
  }
  if (waiting.length) write_all(out, waiting.data, waiting.length), part_out++;
  if (dd.to && close(out) < 0) die_errno(1, "closing output file %s", quote_name(dd.to));
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (dd.status != 'n') fprintf(stderr, "%jd+%jd records in\n%jd+%jd records out\n", whole_in, part_in, whole_out, part_out);
  if (!dd.status) say_amount(bytes, (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
  return exit_status;
}

/* A size with a suffix in either case. */
static bool read_length(const char *text, intmax_t *size) {
  char *copy = copy_text(text);
  size_t digits = strspn(copy, "0123456789");
  if (copy[digits] && strchr("gmtpezy", copy[digits])) copy[digits] = (char)(copy[digits] - 32);
  bool read = parse_size(copy, size);
  free(copy);
  return read;
}

int truncate_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"no-create", NO_VALUE, 'c'}, {"io-blocks", NO_VALUE, 'o'}, {"reference", NEEDS_VALUE, 'r'}, {"size", NEEDS_VALUE, 's'}, {0}};
  struct options options;
  bool creates = true, sized = false;
  char mode = 0;
  intmax_t size = 0, base = -1;
  options_begin(&options, argc, argv, "cor:s:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'c') creates = false;
    if (c == 'r') {
      struct stat about;
      if (stat(options.value, &about) < 0) die_errno(1, "cannot stat %s", quote_name(options.value));
      base = about.st_size;
    }
    if (c == 's') {
      const char *text = options.value + strspn(options.value, " \t");
      mode = *text && strchr("<>/%+-", *text) ? *text++ : 0;
      if (!read_length(text, &size)) die(1, "Invalid number: %s", quote(options.value));
      if ((mode == '/' || mode == '%') && !size) die(1, "division by zero");
      sized = true;
    }
  }
  if (!sized && base < 0) usage_error("you must specify either %s or %s", quote("--size"), quote("--reference"));
  if (!options.count) usage_error("missing file operand");
  for (int at = 0; at < options.count; at++) {
    const char *path = options.operands[at];
    int fd = open(path, O_WRONLY | (creates ? O_CREAT : 0), 0666);
    if (fd < 0) {
      if (creates || errno != ENOENT) warn_errno("cannot open %s for writing", quote_name(path));
      continue;
    }
    struct stat about;
    fstat(fd, &about);
    intmax_t old = base >= 0 ? base : (intmax_t)about.st_size, wanted = !sized ? old : size;
    if (mode == '+') wanted = old + size;
    if (mode == '-') wanted = old > size ? old - size : 0;
    if (mode == '<') wanted = old < size ? old : size;
    if (mode == '>') wanted = old > size ? old : size;
    if (mode == '/') wanted = old / size * size;
    if (mode == '%') wanted = (old + size - 1) / size * size;
    if (ftruncate(fd, (off_t)wanted) < 0) warn_errno("failed to truncate %s at %jd bytes", quote_name(path), wanted);
    close(fd);
  }
  return exit_status;
}
