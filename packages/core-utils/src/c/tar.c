/* tar: archives in the formats of POSIX and GNU */
#include "cu.h"
#include "deflate.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 512, RECORD = 10240 };

/* A header as POSIX has it, in one block. */
struct header {
  char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[8], user[32], group[32], major[8], minor[8],
    prefix[155], rest[12];
};

static struct {
  char action; /* c x t r */
  bool gzips, verbose, to_stdout, keeps_old, keeps_names, no_time;
  const char *archive, *folder, *mode;
  bool has_time, full_time, nul_lines;
  struct timespec time;
  struct person { const char *name; uintmax_t id; } owner, group;
  int strip;
  const char **excludes;
  size_t exclude_count;
} job = {.archive = "-", .owner = {"user", 1000}, .group = {"user", 1000}};

/* "NAME", "NAME:ID" or "ID". A name that nobody has keeps the number of the user. */
static struct person read_person(const char *text, bool is_group) {
  static const struct person known[] = {{"root", 0}, {"user", 1000}, {"nobody", 65534}}, groups[] = {{"root", 0}, {"sys", 3}, {"user", 1000}, {"nogroup", 65534}};
  const struct person *list = is_group ? groups : known;
  size_t count = is_group ? sizeof groups / sizeof *groups : sizeof known / sizeof *known;
  const char *colon = strchr(text, ':');
  char *end;
  if (colon) return (struct person){copy_bytes(text, (size_t)(colon - text)), strtoull(colon + 1, NULL, 10)};
  uintmax_t number = strtoull(text, &end, 10);
  for (size_t at = 0; at < count; at++)
    if (*end ? !strcmp(list[at].name, text) : list[at].id == number) return list[at];
  return *end ? (struct person){copy_text(text), 1000} : (struct person){"", number};
}

/* The name under which an inode is in the archive already. */
static struct stored { ino_t inode; char *name; } *stored;
static size_t stored_count;

static const char *stored_as(const struct stat *about, const char *name) {
  if (about->st_nlink < 2) return NULL;
  for (size_t at = 0; at < stored_count; at++)
    if (stored[at].inode == about->st_ino) return stored[at].name;
  stored = regrab(stored, (stored_count + 1) * sizeof *stored);
  stored[stored_count++] = (struct stored){about->st_ino, copy_text(name)};
  return NULL;
}

static _Noreturn void misused(void) {
  fputs("Try 'tar --help' or 'tar --usage' for more information.\n", stderr);
  finish(2);
}

/* Octal digits, or bytes of a large number. */
static uintmax_t read_number(const char *field, size_t length) {
  uintmax_t value = 0;
  if (*field & 0x80) {
    for (size_t at = 0; at < length; at++) value = value << 8 | (unsigned char)(at ? field[at] : field[at] & 0x7f);
    return value;
  }
  size_t at = 0;
  while (at < length && field[at] == ' ') at++;
  for (; at < length && field[at] >= '0' && field[at] <= '7'; at++) value = value * 8 + (uintmax_t)(field[at] - '0');
  return value;
}

static void write_number(char *field, size_t length, uintmax_t value) {
  if (value < (uintmax_t)1 << (3 * (length - 1))) {
    sprintf(field, "%0*jo", (int)length - 1, value);
    return;
  }
  for (size_t at = length; at > 0; value >>= 8) field[--at] = (char)value;
  *field = (char)(*field | 0x80);
}

static unsigned sum_of(const struct header *header) {
  unsigned sum = 0;
  const unsigned char *bytes = (const unsigned char *)header;
  for (size_t at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? ' ' : bytes[at];
  return sum;
}

static bool is_excluded(const char *name) {
  for (size_t at = 0; at < job.exclude_count; at++) {
    const char *pattern = job.excludes[at];
    /* A pattern may match from any part of the name on, and takes what is below. */
    for (const char *from = name; from; from = strchr(from, '/') ? strchr(from, '/') + 1 : NULL) {
      char *part = copy_text(from);
      bool found = glob_match(pattern, part, 0);
      for (char *slash = part + strlen(part); !found && slash > part; slash--)
        if (*slash == '/') *slash = 0, found = glob_match(pattern, part, 0);
      free(part);
      if (found) return true;
    }
  }
  return false;
}

/* ---- making ---- */

static struct buffer archive;

static void pad_to(size_t size) {
  while (archive.length % size) buffer_byte(&archive, 0);
}

static void add_header(const char *name, const char *link, char type, uintmax_t size, int mode, time_t time) {
  struct header header = {0};
  size_t length = strlen(name);
  if (length > sizeof header.name || (link && strlen(link) > sizeof header.link)) {
    const char *long_text = length > sizeof header.name ? name : link;
    struct header longer = {.type = long_text == name ? 'L' : 'K', .magic = "ustar  "};
    strcpy(longer.name, "././@LongLink"), strcpy(longer.user, "root"), strcpy(longer.group, "root");
    write_number(longer.mode, 8, 0644), write_number(longer.uid, 8, 0), write_number(longer.gid, 8, 0);
    write_number(longer.size, 12, strlen(long_text) + 1), write_number(longer.mtime, 12, 0);
    sprintf(longer.sum, "%06o", sum_of(&longer)), longer.sum[7] = ' ';
    buffer_add(&archive, &longer, BLOCK);
    buffer_add(&archive, long_text, strlen(long_text) + 1);
    pad_to(BLOCK);
  }
  memcpy(header.name, name, length < sizeof header.name ? length : sizeof header.name);
  if (link) memcpy(header.link, link, strlen(link) < sizeof header.link ? strlen(link) : sizeof header.link);
  header.type = type;
  memcpy(header.magic, "ustar  ", 8);
  snprintf(header.user, sizeof header.user, "%s", job.owner.name), snprintf(header.group, sizeof header.group, "%s", job.group.name);
  write_number(header.mode, 8, (uintmax_t)mode & 07777), write_number(header.uid, 8, job.owner.id), write_number(header.gid, 8, job.group.id);
  write_number(header.size, 12, size), write_number(header.mtime, 12, time > 0 ? (uintmax_t)time : 0);
  sprintf(header.sum, "%06o", sum_of(&header)), header.sum[7] = ' ';
  buffer_add(&archive, &header, BLOCK);
}

static void show_name(const char *name) {
  FILE *to = job.action == 'c' && !strcmp(job.archive, "-") ? stderr : stdout;
  for (; *name; name++)
    if (*name == '\n') fputs("\\n", to);
    else if (*name == '\t') fputs("\\t", to);
    else if (*name == '\\') fputs("\\\\", to);
    else fputc(*name, to);
  fputc('\n', to);
}

static struct stat archive_about;

static void add_path(const char *path) {
  struct stat about;
  const char *name = path;
  while (!job.keeps_names && *name == '/') name++;
  if (is_excluded(path)) return;
  if (lstat(path, &about) < 0) {
    warn_errno("%s: Cannot stat", path);
    return;
  }
  if (archive_about.st_ino && about.st_ino == archive_about.st_ino && about.st_dev == archive_about.st_dev && S_ISREG(about.st_mode)) {
    int before = exit_status;
    warn("%s: file is the archive; not dumped", path);
    exit_status = before ? before : 1;
    return;
  }
  int mode = mode_of(path, false);
  if (mode < 0) mode = S_ISDIR(about.st_mode) ? 0755 : 0644;
  if (job.mode) mode = parse_mode(job.mode, mode, S_ISDIR(about.st_mode), 022);
  if (job.has_time) about.st_mtim = job.time;
  if (S_ISDIR(about.st_mode)) {
    size_t length = strlen(path);
    char *shown = format_text("%s%s", name, length && path[length - 1] == '/' ? "" : "/");
    if (*name) {
      if (job.verbose) show_name(shown);
      add_header(shown, NULL, '5', 0, mode, about.st_mtim.tv_sec);
    }
    char **names = list_folder(path);
    if (!names) warn_errno("%s: Cannot open", path);
    for (char **at = names; at && *at; at++) add_path(join_path(path, *at));
  } else if (stored_as(&about, name)) {
    if (job.verbose) show_name(name);
    add_header(name, stored_as(&about, name), '1', 0, S_ISLNK(about.st_mode) ? 0777 : mode, about.st_mtim.tv_sec);
  } else if (S_ISLNK(about.st_mode)) {
    char link[4097] = {0};
    if (readlink(path, link, sizeof link - 1) < 0) warn_errno("%s: Cannot read link", path);
    if (job.verbose) show_name(name);
    add_header(name, link, '2', 0, 0777, about.st_mtim.tv_sec);
  } else if (S_ISREG(about.st_mode)) {
    char *data;
    size_t length;
    if (!read_whole(path, &data, &length)) return;
    if (job.verbose) show_name(name);
    add_header(name, NULL, '0', length, mode, about.st_mtim.tv_sec);
    buffer_add(&archive, data, length);
    pad_to(BLOCK);
    free(data);
  } else warn("%s: Unknown file type; file ignored", path);
}

static bool ends_with(const char *text, const char *end) {
  return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

static int make(char **names, int count, bool picks_by_name, bool lists) {
  int out = 1;
  char *target = strcmp(job.archive, "-") ? absolute_path(job.archive) : NULL;
  if (!count && !lists) warn("Cowardly refusing to create an empty archive"), misused();
  if (target) {
    if (job.action == 'r') {
      char *old;
      size_t length;
      if (access(target, F_OK) == 0 && read_whole(target, &old, &length)) {
        /* What is added begins where the empty blocks do. */
        while (length >= BLOCK) {
          bool empty = true;
          for (size_t at = length - BLOCK; empty && at < length; at++) empty = !old[at];
          if (!empty) break;
          length -= BLOCK;
        }
        buffer_add(&archive, old, length);
      }
    }
    out = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0) warn_errno("%s: Cannot open", job.archive), die(2, "Error is not recoverable: exiting now");
    fstat(out, &archive_about);
  }
  if (job.folder && chdir(job.folder) < 0) warn_errno("%s: Cannot open", job.folder), die(2, "Error is not recoverable: exiting now");
  bool said = false;
  for (int at = 0; at < count; at++) {
    if (!job.keeps_names && *names[at] == '/' && !said) {
      fprintf(stderr, "%s: Removing leading `/' from member names\n", tool);
      said = true;
    }
    size_t length = strlen(names[at]);
    while (length > 1 && names[at][length - 1] == '/') names[at][--length] = 0;
    add_path(names[at]);
  }
  for (int at = 0; at < 2 * BLOCK; at++) buffer_byte(&archive, 0);
  pad_to(RECORD);
  struct buffer packed = {0}, *whole = &archive;
  bool by_name = picks_by_name && (ends_with(job.archive, ".gz") || ends_with(job.archive, ".tgz"));
  if (job.gzips || by_name) gzip_all((uint8_t *)archive.data, archive.length, 6, NULL, 0, &packed), whole = &packed;
  for (size_t at = 0; at < whole->length;) {
    ssize_t some = write(out, whole->data + at, whole->length - at);
    if (some <= 0) die_errno(2, "%s: Cannot write", job.archive);
    at += (size_t)some;
  }
  if (exit_status == 2) fprintf(stderr, "%s: Exiting with failure status due to previous errors\n", tool);
  return exit_status;
}

/* ---- reading ---- */

struct member {
  char *name, *link, *user, *group;
  char type;
  int mode;
  uintmax_t size;
  time_t time;
  const char *data;
};

/* A name that stays below the folder. */
static char *safe_name(const char *name, const char *what) {
  static bool said_root, said_up;
  const char *at = name;
  if (job.keeps_names) return copy_text(name);
  for (const char *part = name; *part;) {
    size_t length = strcspn(part, "/");
    if (length == 2 && !strncmp(part, "..", 2)) at = part + length;
    part += length + (part[length] == '/');
  }
  if (at > name && !said_up) {
    fprintf(stderr, "%s: Removing leading `%.*s/' from %s names\n", tool, (int)(at - name), name, what);
    said_up = true;
  } else if (*at == '/' && !said_root) {
    fprintf(stderr, "%s: Removing leading `/' from %s names\n", tool, what);
    said_root = true;
  }
  while (*at == '/') at++;
  return copy_text(*at ? at : ".");
}

static const char *strip_parts(const char *name) {
  for (int left = job.strip; left > 0; left--) {
    while (*name == '/') name++;
    const char *slash = strchr(name, '/');
    if (!slash) return NULL;
    name = slash + 1;
    while (*name == '/') name++;
  }
  return *name ? name : NULL;
}

/* A folder that is a link could lead elsewhere: it is taken away before something is put below it. */
static bool make_parents(const char *name) {
  char *path = copy_text(name);
  for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = 0;
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode) && stat(path, &about) < 0) unlink(path);
    if (mkdir(path, 0777) < 0 && errno != EEXIST) return false;
    *at = '/';
  }
  free(path);
  return true;
}

static void set_times(const char *name, const struct member *member) {
  const struct timespec times[2] = {{member->time, 0}, {member->time, 0}};
  if (!job.no_time) utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW);
}

static struct member *folders;
static size_t folder_count;

static void extract(const struct member *member) {
  const char *stripped = strip_parts(member->name);
  if (!stripped) return;
  char *name = safe_name(stripped, "member");
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '/') name[--length] = 0;
  struct stat about;
  if (job.to_stdout) {
    if (member->type == '0') fwrite(member->data, 1, member->size, stdout);
    return;
  }
  bool there = lstat(name, &about) == 0;
  if (there && job.keeps_old && member->type != '5') {
    warn("%s: Cannot open: File exists", name);
    return;
  }
  if (!make_parents(name)) {
    warn_errno("%s: Cannot open", name);
    return;
  }
  if (there && member->type != '5') {
    if (S_ISDIR(about.st_mode)) rmdir(name);
    else unlink(name);
  }
  switch (member->type) {
    case '5':
      if (mkdir(name, 0777) < 0 && !(errno == EEXIST && is_directory(name))) {
        warn_errno("%s: Cannot mkdir", name);
        return;
      }
      folders = regrab(folders, (folder_count + 1) * sizeof *folders);
      folders[folder_count] = *member;
      folders[folder_count++].name = name;
      return;
    case '2':
      if (symlink(member->link, name) < 0) warn_errno("%s: Cannot create symlink to %s", name, quote(member->link));
      return;
    case '1': {
      const char *to = strip_parts(member->link);
      char *target = safe_name(to ? to : member->link, "hard link target");
      if (link(target, name) < 0) warn_errno("%s: Cannot hard link to %s", name, quote(target));
      return;
    }
    case '0': {
      FILE *out = fopen(name, "w");
      if (!out || fwrite(member->data, 1, member->size, out) != member->size || fclose(out)) {
        warn_errno("%s: Cannot open", name);
        return;
      }
      change_mode(name, member->mode & 0777);
      set_times(name, member);
      return;
    }
    default: warn("%s: Unknown file type %s; file ignored", name, quote((char[2]){member->type, 0}));
  }
}

static void list(const struct member *member) {
  static int width = 19;
  if (!job.verbose) {
    show_name(member->name);
    return;
  }
  static const char types[] = "0-1h2l3c4b5d6p";
  const char *type = strchr(types, member->type);
  struct stat about = {0};
  char mode[16], size[24], time[32];
  show_mode(mode, &about, member->mode & 07777);
  mode[0] = type ? type[1] : '-';
  sprintf(size, "%ju", member->size);
  struct tm *when = localtime(&member->time);
  strftime(time, sizeof time, job.full_time ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M", when);
  int used = (int)(strlen(member->user) + 1 + strlen(member->group) + 1 + strlen(size));
  if (used > width) width = used;
  printf("%s %s/%s %*s %s %s", mode, member->user, member->group, width - used + (int)strlen(size), size, time, member->name);
  if (member->type == '2') printf(" -> %s", member->link);
  if (member->type == '1') printf(" link to %s", member->link);
  putchar('\n');
}

/* "LENGTH key=value\n", again and again. */
static void read_pax(const char *data, size_t length, struct member *member) {
  for (size_t at = 0; at < length;) {
    char *end;
    size_t size = (size_t)strtoull(data + at, &end, 10);
    const char *key = end + 1, *equals = size ? memchr(key, '=', size) : NULL;
    if (!size || size > length - at || !equals) return;
    char *value = copy_bytes(equals + 1, (size_t)(data + at + size - 1 - equals - 1));
    size_t word = (size_t)(equals - key);
    if (word == 4 && !strncmp(key, "path", 4)) member->name = value;
    else if (word == 8 && !strncmp(key, "linkpath", 8)) member->link = value;
    else if (word == 4 && !strncmp(key, "size", 4)) member->size = strtoull(value, NULL, 10) + 1;
    else if (word == 5 && !strncmp(key, "mtime", 5)) member->time = (time_t)strtoll(value, NULL, 10);
    at += size;
  }
}

/* A member is wanted if it is named, or is below what is named, or matches. */
static bool is_wanted(const char *name, char **wanted, bool *seen, int count, bool patterns) {
  bool any = !count;
  for (int at = 0; at < count; at++) {
    size_t length = strlen(wanted[at]);
    while (length > 1 && wanted[at][length - 1] == '/') length--;
    bool found = !strncmp(name, wanted[at], length) && (!name[length] || name[length] == '/');
    if (!found && patterns) found = glob_match(wanted[at], name, 0);
    if (found) any = seen[at] = true;
  }
  return any;
}

static int read_archive(char **wanted, int count, bool patterns) {
  char *raw;
  size_t length;
  if (strcmp(job.archive, "-") && access(job.archive, R_OK) < 0) {
    warn_errno("%s: Cannot open", job.archive);
    die(2, "Error is not recoverable: exiting now");
  }
  if (!read_whole(job.archive, &raw, &length)) die(2, "Error is not recoverable: exiting now");
  struct buffer whole = {0};
  if (length > 2 && (unsigned char)raw[0] == 0x1f && (unsigned char)raw[1] == 0x8b) {
    const char *problem = gunzip_all((uint8_t *)raw, length, &whole);
    if (problem) {
      fprintf(stderr, "\ngzip: stdin: %s\n", problem);
      warn("Child returned status 1");
      die(2, "Error is not recoverable: exiting now");
    }
    raw = whole.data, length = whole.length;
  }
  if (job.folder && chdir(job.folder) < 0) warn_errno("%s: Cannot open", job.folder), die(2, "Error is not recoverable: exiting now");
  bool *seen = grab_zero((size_t)count + 1, sizeof *seen);
  struct member next = {0};
  if (length && length < BLOCK) warn("This does not look like a tar archive");
  for (size_t at = 0; at + BLOCK <= length;) {
    const struct header *header = (const struct header *)(raw + at);
    if (!header->name[0] && !sum_of(header)) break;
    if (!header->name[0] && sum_of(header) == 8 * ' ') break;
    if (read_number(header->sum, 8) != sum_of(header)) {
      if (!at) warn("This does not look like a tar archive");
      else warn("Skipping to next header");
      break;
    }
    uintmax_t size = read_number(header->size, 12);
    if (next.size) size = next.size - 1;
    const char *data = raw + at + BLOCK;
    if (size > length - at - BLOCK && strchr("0LKxg", header->type ? header->type : '0')) {
      warn("Unexpected EOF in archive");
      die(2, "Error is not recoverable: exiting now");
    }
    char type = header->type ? header->type == '7' ? '0' : header->type : '0';
    bool has_data = strchr("0LKxgS", type);
    at += BLOCK + (has_data ? (size + BLOCK - 1) / BLOCK * BLOCK : 0);
    if (type == 'L' || type == 'K') {
      *(type == 'L' ? &next.name : &next.link) = copy_bytes(data, size);
      continue;
    }
    if (type == 'x') {
      read_pax(data, size, &next);
      continue;
    }
    if (type == 'g') continue;
    struct member member = next;
    next = (struct member){0};
    if (!member.name) {
      char *name = copy_bytes(header->name, strnlen(header->name, sizeof header->name));
      bool posix = !memcmp(header->magic, "ustar\0", 6);
      member.name = posix && header->prefix[0] ? format_text("%.*s/%s", (int)sizeof header->prefix, header->prefix, name) : name;
    }
    if (!member.link) member.link = copy_bytes(header->link, strnlen(header->link, sizeof header->link));
    if (!member.time) member.time = (time_t)read_number(header->mtime, 12);
    size_t name_length = strlen(member.name);
    if (type == '0' && name_length && member.name[name_length - 1] == '/') type = '5';
    member.user = *header->user ? copy_bytes(header->user, strnlen(header->user, 32)) : format_text("%ju", read_number(header->uid, 8));
    member.group = *header->group ? copy_bytes(header->group, strnlen(header->group, 32)) : format_text("%ju", read_number(header->gid, 8));
    member.type = type, member.size = has_data ? size : 0, member.mode = (int)read_number(header->mode, 8), member.data = data;
    if (is_excluded(member.name) || !is_wanted(member.name, wanted, seen, count, patterns)) continue;
    if (job.action == 't') list(&member);
    else {
      if (job.verbose) {
        if (job.to_stdout) fprintf(stderr, "%s\n", member.name);
        else show_name(member.name);
      }
      extract(&member);
    }
  }
  /* Folders last: what is put into them changes their times, and they may be closed. */
  while (folder_count--) {
    change_mode(folders[folder_count].name, folders[folder_count].mode & 0777);
    set_times(folders[folder_count].name, &folders[folder_count]);
  }
  for (int at = 0; at < count; at++)
    if (!seen[at]) warn("%s: Not found in archive", wanted[at]);
  if (exit_status) fprintf(stderr, "%s: Exiting with failure status due to previous errors\n", tool);
  return exit_status;
}

static void add_exclude(const char *pattern) {
  job.excludes = regrab(job.excludes, (job.exclude_count + 1) * sizeof *job.excludes);
  job.excludes[job.exclude_count++] = copy_text(pattern);
}

static void set_action(char action) {
  if (job.action && job.action != action) warn("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option"), misused();
  job.action = action;
}

/* The lines of a file, as more operands or patterns. */
static char **read_lines(const char *name, int *count) {
  struct input input;
  char *line, **lines = NULL;
  size_t length;
  *count = 0;
  if (!input_open(&input, name)) finish(2);
  int end = job.nul_lines ? 0 : '\n';
  while (input_line(&input, end, &line, &length)) {
    length -= line[length - 1] == end;
    if (!length) continue;
    lines = regrab(lines, (size_t)(*count + 1) * sizeof *lines);
    lines[(*count)++] = copy_bytes(line, length);
  }
  input_close(&input);
  return lines;
}

int tar_main(int argc, char **argv) {
  enum { EXCLUDE = 256, STRIP, WILDCARDS, OWNER, GROUP, MTIME, MODE, NUL, FULL_TIME, OTHER, OTHER_VALUE };
  static const struct long_option longs[] = {{"create", NO_VALUE, 'c'}, {"extract", NO_VALUE, 'x'}, {"get", NO_VALUE, 'x'}, {"list", NO_VALUE, 't'},
    {"append", NO_VALUE, 'r'}, {"file", NEEDS_VALUE, 'f'}, {"gzip", NO_VALUE, 'z'}, {"gunzip", NO_VALUE, 'z'}, {"ungzip", NO_VALUE, 'z'}, {"verbose", NO_VALUE, 'v'},
    {"directory", NEEDS_VALUE, 'C'}, {"to-stdout", NO_VALUE, 'O'}, {"keep-old-files", NO_VALUE, 'k'}, {"absolute-names", NO_VALUE, 'P'},
    {"touch", NO_VALUE, 'm'}, {"files-from", NEEDS_VALUE, 'T'}, {"exclude-from", NEEDS_VALUE, 'X'}, {"auto-compress", NO_VALUE, 'a'},
    {"preserve-permissions", NO_VALUE, 'p'}, {"exclude", NEEDS_VALUE, EXCLUDE}, {"strip-components", NEEDS_VALUE, STRIP}, {"wildcards", NO_VALUE, WILDCARDS},
    {"no-same-owner", NO_VALUE, OTHER}, {"numeric-owner", NO_VALUE, OTHER}, {"overwrite", NO_VALUE, OTHER}, {"no-recursion", NO_VALUE, OTHER},
    {"sort", NEEDS_VALUE, OTHER_VALUE}, {"owner", NEEDS_VALUE, OWNER}, {"group", NEEDS_VALUE, GROUP}, {"mtime", NEEDS_VALUE, MTIME}, {"mode", NEEDS_VALUE, MODE},
    {"null", NO_VALUE, NUL}, {"full-time", NO_VALUE, FULL_TIME}, {"use-compress-program", NEEDS_VALUE, 'I'}, {"format", NEEDS_VALUE, OTHER_VALUE}, {0}};
  struct options options;
  bool picks = false, patterns = false, lists = false;
  char **more = NULL;
  int more_count = 0;
  usage_status = warn_status = 2;
  /* "tar xzf FILE": the letters may come without "-", and then their values follow in turn. */
  if (argc > 1 && *argv[1] && *argv[1] != '-') {
    char **words = grab_zero((size_t)argc * 2 + 64, sizeof *words);
    int count = 0, from = 2;
    words[count++] = argv[0];
    for (const char *letter = argv[1]; *letter; letter++) {
      words[count++] = format_text("-%c", *letter);
      if (strchr("fCTX", *letter) && from < argc) words[count++] = argv[from++];
    }
    while (from < argc) words[count++] = argv[from++];
    argc = count, argv = words;
  }
  options_begin(&options, argc, argv, "cxtrf:zjJvC:OkPmT:X:apoShI:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'c': case 'x': case 't': case 'r': set_action((char)c); break;
      case 'f': job.archive = options.value; break;
      case 'z': job.gzips = true; break;
      case 'j': die(2, "bzip2: Cannot exec: No such file or directory");
      case 'J': die(2, "xz: Cannot exec: No such file or directory");
      case 'v': job.verbose = true; break;
      case 'C': job.folder = job.folder && *options.value != '/' ? join_path(job.folder, options.value) : options.value; break;
      case 'O': job.to_stdout = true; break;
      case 'k': job.keeps_old = true; break;
      case 'P': job.keeps_names = true; break;
      case 'm': job.no_time = true; break;
      case OWNER: job.owner = read_person(options.value, false); break;
      case GROUP: job.group = read_person(options.value, true); break;
      case MODE: job.mode = options.value; break;
      case NUL: job.nul_lines = true; break;
      case FULL_TIME: job.full_time = true; break;
      case MTIME:
        if (!parse_time(options.value, &job.time)) die(2, "Invalid date %s", quote(options.value));
        job.has_time = true;
        break;
      case 'I':
        if (strcmp(options.value, "gzip")) die(2, "%s: Cannot exec: No such file or directory", options.value);
        job.gzips = true;
        break;
      case 'T': lists = true, more = read_lines(options.value, &more_count); break;
      case 'X': {
        int count;
        char **lines = read_lines(options.value, &count);
        for (int at = 0; at < count; at++) add_exclude(lines[at]);
        break;
      }
      case 'a': picks = true; break;
      case EXCLUDE: add_exclude(options.value); break;
      case STRIP: job.strip = atoi(options.value); break;
      case WILDCARDS: patterns = true; break;
    }
  if (!job.action) warn("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options"), misused();
  if (strcmp(job.archive, "-") && job.folder && job.action != 'c' && job.action != 'r') job.archive = absolute_path(job.archive);
  int count = options.count + more_count;
  char **names = grab_zero((size_t)count + 1, sizeof *names);
  memcpy(names, options.operands, (size_t)options.count * sizeof *names);
  if (more_count) memcpy(names + options.count, more, (size_t)more_count * sizeof *names);
  return job.action == 'c' || job.action == 'r' ? make(names, count, picks, lists) : read_archive(names, count, patterns);
}
