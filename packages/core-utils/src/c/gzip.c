/* gzip, gunzip and zcat */
#include "deflate.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint32_t crc32_of(uint32_t crc, const uint8_t *data, size_t length) {
  static uint32_t table[256];
  if (!table[1])
    for (uint32_t at = 0; at < 256; at++) {
      uint32_t value = at;
      for (int bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ value >> 1 : value >> 1;
      table[at] = value;
    }
  crc = ~crc;
  while (length--) crc = table[(crc ^ *data++) & 0xff] ^ crc >> 8;
  return ~crc;
}

static void add_word(struct buffer *to, uint32_t word) {
  for (int at = 0; at < 4; at++) buffer_byte(to, (char)(word >> (8 * at)));
}

static uint32_t word_at(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24; }

void gzip_all(const uint8_t *data, size_t length, int level, const char *name, uint32_t time, struct buffer *to) {
  const char head[4] = {0x1f, (char)0x8b, 8, name ? 8 : 0};
  buffer_add(to, head, 4);
  add_word(to, time);
  buffer_byte(to, level == 9 ? 2 : level == 1 ? 4 : 0);
  buffer_byte(to, 3);
  if (name) buffer_add(to, name, strlen(name) + 1);
  deflate(data, length, level, to);
  add_word(to, crc32_of(0, data, length));
  add_word(to, (uint32_t)length);
}

/* Where the compressed data of a member begins; 0: this is none. */
static size_t skip_head(const uint8_t *data, size_t length) {
  if (length < 18 || data[0] != 0x1f || data[1] != 0x8b || data[2] != 8) return 0;
  size_t at = 10;
  int flags = data[3];
  if (flags & 4) at += 2 + (data[at] | (size_t)data[at + 1] << 8);
  for (int bit = 8; bit <= 16; bit *= 2)
    if (flags & bit) {
      while (at < length && data[at]) at++;
      at++;
    }
  if (flags & 2) at += 2;
  return at < length ? at : 0;
}

const char *gunzip_all(const uint8_t *data, size_t length, struct buffer *to) {
  if (length < 2 || data[0] != 0x1f || data[1] != 0x8b) return "not in gzip format";
  for (size_t at = 0; at < length;) {
    if (data[at] == 0 && at) {
      while (at < length && !data[at]) at++;
      continue;
    }
    size_t head = skip_head(data + at, length - at), begin = to->length;
    if (!head) return at ? NULL : "unexpected end of file";
    ptrdiff_t taken = inflate(data + at + head, length - at - head, to, SIZE_MAX / 2);
    if (taken == ENDS_EARLY) return "unexpected end of file";
    if (taken < 0) return "invalid compressed data--format violated";
    at += head + (size_t)taken;
    if (length - at < 8) return "unexpected end of file";
    if (word_at(data + at) != crc32_of(0, (const uint8_t *)to->data + begin, to->length - begin)) return "invalid compressed data--crc error";
    if (word_at(data + at + 4) != (uint32_t)(to->length - begin)) return "invalid compressed data--length error";
    at += 8;
  }
  return NULL;
}

struct job {
  bool unpacks, to_stdout, keeps, forces, tests, lists, quiet, verbose, recurses, no_name;
  int level;
  const char *suffix;
};

/* "12.3%" of what was saved. */
static char *saved(size_t whole, size_t packed) {
  double share = whole ? 100.0 * ((double)whole - (double)packed) / (double)whole : 0;
  return format_text("%5.1f%%", share);
}

static char *target_of(const struct job *job, const char *name) {
  size_t length = strlen(name), ending = strlen(job->suffix);
  bool packed = length > ending && !strcmp(name + length - ending, job->suffix);
  if (!job->unpacks) {
    static const char *const known[] = {".gz", ".z", ".taz", ".tgz", "-gz", "-z", "_z"};
    const char *has = packed ? job->suffix : NULL;
    for (size_t at = 0; !has && at < sizeof known / sizeof *known; at++)
      if (length > strlen(known[at]) && !strcmp(name + length - strlen(known[at]), known[at])) has = known[at];
    if (has && !job->forces) {
      fprintf(stderr, "%s: %s already has %s suffix -- unchanged\n", tool, name, has);
      return NULL;
    }
    return format_text("%s%s", name, job->suffix);
  }
  if (packed) return copy_bytes(name, length - ending);
  if (length > 4 && (!strcmp(name + length - 4, ".tgz") || !strcmp(name + length - 4, ".taz"))) return format_text("%.*s.tar", (int)length - 4, name);
  fprintf(stderr, "%s: %s: unknown suffix -- ignored\n", tool, name);
  if (!exit_status) exit_status = 2;
  return NULL;
}

static void list_one(const char *name, size_t length, size_t whole) {
  static bool headed;
  if (!headed) puts("         compressed        uncompressed  ratio uncompressed_name");
  headed = true;
  size_t ending = strlen(name) > 3 && !strcmp(name + strlen(name) - 3, ".gz") ? 3 : 0;
  printf("%19zu %19zu %s %.*s\n", length, whole, saved(whole, length > 18 ? length - 18 : 0), (int)(strlen(name) - ending), name);
}

static void work_on(const struct job *job, const char *name);

static void work_below(const struct job *job, const char *folder) {
  char **names = list_folder(folder);
  for (char **at = names; at && *at; at++) work_on(job, join_path(folder, *at));
}

static void work_on(const struct job *job, const char *name) {
  bool standard = !strcmp(name, "-");
  struct stat about = {0};
  if (!standard) {
    if (stat(name, &about) < 0 && job->unpacks && errno == ENOENT) {
      char *packed = format_text("%s%s", name, job->suffix);
      if (stat(packed, &about) == 0) name = packed;
      else errno = ENOENT;
    }
    if (!about.st_mode && stat(name, &about) < 0) {
      warn_errno("%s", name);
      return;
    }
    if (S_ISDIR(about.st_mode)) {
      if (job->recurses) return work_below(job, name);
      fprintf(stderr, "%s: %s is a directory -- ignored\n", tool, name);
      if (!exit_status) exit_status = 2;
      return;
    }
  }
  bool kept = standard || job->to_stdout || job->tests || job->lists;
  char *target = kept ? NULL : target_of(job, name), *data;
  if (!kept && !target) return;
  size_t length;
  struct buffer out = {0};
  if (!read_whole(name, &data, &length)) return;
  bool unpacks = job->unpacks || job->tests || job->lists;
  if (!unpacks) gzip_all((uint8_t *)data, length, job->level, standard || job->no_name ? NULL : base_of(name), standard || job->no_name ? 0 : (uint32_t)about.st_mtime, &out);
  else {
    const char *problem = gunzip_all((uint8_t *)data, length, &out);
    if (problem && !strcmp(problem, "not in gzip format") && job->to_stdout && job->forces) buffer_add(&out, data, length);
    else if (problem) {
      fflush(stdout);
      fprintf(stderr, "\n%s: %s: %s\n", tool, standard ? "stdin" : name, problem);
      exit_status = 1;
      free(data);
      return;
    }
  }
  if (job->lists) list_one(standard ? "stdout" : name, length, out.length);
  else if (job->tests) {
    if (job->verbose) fprintf(stderr, "%s:\t OK\n", name);
  } else if (kept) fwrite(out.data, 1, out.length, stdout);
  else {
    struct stat there;
    FILE *to = NULL;
    if (!job->forces && lstat(target, &there) == 0) {
      fprintf(stderr, "%s: %s already exists;\tnot overwritten\n", tool, target);
      if (!exit_status) exit_status = 2;
    } else if (!(to = fopen(target, "w"))) warn_errno("%s", target);
    if (to) {
      if (fwrite(out.data, 1, out.length, to) != out.length || fclose(to)) die_errno(1, "%s", target);
      int mode = mode_of(name, true);
      if (mode >= 0) change_mode(target, mode & 07777);
      const struct timespec times[2] = {about.st_atim, about.st_mtim};
      utimensat(AT_FDCWD, target, times, 0);
      if (!job->keeps) unlink(name);
      if (job->verbose)
        fprintf(stderr, "%s:\t%s -- %s %s\n", name, job->unpacks ? saved(out.length, length) : saved(length, out.length), job->keeps ? "created" : "replaced with", target);
    }
  }
  free(data);
  free(out.data);
}

static int gzip_with(int argc, char **argv, struct job job) {
  /* The other two are gzip by another name, and say so. */
  tool = "gzip";
  static const struct long_option longs[] = {{"stdout", NO_VALUE, 'c'}, {"to-stdout", NO_VALUE, 'c'}, {"decompress", NO_VALUE, 'd'}, {"uncompress", NO_VALUE, 'd'},
    {"force", NO_VALUE, 'f'}, {"keep", NO_VALUE, 'k'}, {"list", NO_VALUE, 'l'}, {"no-name", NO_VALUE, 'n'}, {"name", NO_VALUE, 'N'}, {"quiet", NO_VALUE, 'q'},
    {"recursive", NO_VALUE, 'r'}, {"suffix", NEEDS_VALUE, 'S'}, {"test", NO_VALUE, 't'}, {"verbose", NO_VALUE, 'v'}, {"fast", NO_VALUE, '1'}, {"best", NO_VALUE, '9'}, {0}};
  struct options options;
  options_begin(&options, argc, argv, "cdfklnNqrS:tv123456789", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'c': job.to_stdout = true; break;
      case 'd': job.unpacks = true; break;
      case 'f': job.forces = true; break;
      case 'k': job.keeps = true; break;
      case 'l': job.lists = true; break;
      case 'n': job.no_name = true; break;
      case 'q': job.quiet = true; break;
      case 'r': job.recurses = true; break;
      case 'S': job.suffix = options.value; break;
      case 't': job.tests = true; break;
      case 'v': job.verbose = true; break;
      default:
        if (c >= '1' && c <= '9') job.level = c - '0';
    }
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) work_on(&job, files[at]);
  return exit_status;
}

int gzip_main(int argc, char **argv) { return gzip_with(argc, argv, (struct job){.level = 6, .suffix = ".gz"}); }
int gunzip_main(int argc, char **argv) { return gzip_with(argc, argv, (struct job){.level = 6, .suffix = ".gz", .unpacks = true}); }
int zcat_main(int argc, char **argv) { return gzip_with(argc, argv, (struct job){.level = 6, .suffix = ".gz", .unpacks = true, .to_stdout = true}); }
