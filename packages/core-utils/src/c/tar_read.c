/* tar: reading archives */
#include "tar.h"
#include "deflate.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* What a member is called after --transform and --strip-components; NULL if nothing is left. */
static const char *changed_name(const char *name, char kind) {
  const char *changed = strip_parts(transform_name(name, kind));
  return changed && *changed ? changed : NULL;
}

static void extract(const struct member *member) {
  const char *stripped = changed_name(member->name, 'r');
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
    case '2': {
      const char *target = transform_name(member->link, 's');
      if (symlink(target, name) < 0) warn_errno("%s: Cannot create symlink to %s", name, quote(target));
      return;
    }
    case '1': {
      const char *to = changed_name(member->link, 'h');
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
  const char *name = member->name, *link = member->link;
  if (job.shows_changed) {
    name = changed_name(name, 'r');
    if (!name) return;
    if (member->type == '1' || member->type == '2') {
      const char *changed = member->type == '1' ? changed_name(link, 'h') : transform_name(link, 's');
      if (changed) link = changed;
    }
  }
  if (!job.verbose) {
    tar_show(name);
    return;
  }
  static const char types[] = "0-1h2l3c4b5d6p";
  const char *type = strchr(types, member->type);
  struct stat about = {0};
  char mode[16], size[24];
  show_mode(mode, &about, member->mode & 07777);
  mode[0] = type ? type[1] : '-';
  sprintf(size, "%ju", member->size);
  char *time = format_time(job.full_time ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M", (struct timespec){member->time, 0});
  int used = (int)(strlen(member->user) + 1 + strlen(member->group) + 1 + strlen(size));
  if (used > width) width = used;
  printf("%s %s/%s %*s %s %s", mode, member->user, member->group, width - used + (int)strlen(size), size, time, name);
  if (member->type == '2') printf(" -> %s", link);
  if (member->type == '1') printf(" link to %s", link);
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

/* The whole text of a file that is stored without its holes, as old GNU tars do it. 0 if the archive ends before it does. */
static size_t expand_sparse(const struct header *header, const char *raw, size_t length, size_t *at, const char **data, uintmax_t *size) {
  /* Pairs of place and length begin at 386; 482 says that more follow in blocks of 21. */
  const char *block = (const char *)header;
  uintmax_t packed = read_number(header->size, 12), whole = read_number(block + 483, 12);
  size_t start = (size_t)(block - raw) + BLOCK, pairs = 4;
  if (whole > (uintmax_t)1 << 30) die(2, "memory exhausted");
  char *text = grab_zero(1, (size_t)whole + 1);
  const char *pair = block + 386;
  bool more = block[482];
  struct { uintmax_t place, length; } *parts = NULL;
  size_t count = 0;
  for (;;) {
    for (size_t index = 0; index < pairs && pair[index * 24]; index++) {
      parts = regrab(parts, (count + 1) * sizeof *parts);
      parts[count].place = read_number(pair + index * 24, 12), parts[count++].length = read_number(pair + index * 24 + 12, 12);
    }
    if (!more) break;
    if (start + BLOCK > length) return 0;
    pair = raw + start, pairs = 21, more = raw[start + 504];
    start += BLOCK;
  }
  size_t from = start;
  for (size_t index = 0; index < count; index++) {
    if (parts[index].place > whole || parts[index].length > whole - parts[index].place || parts[index].length > length - from) return 0;
    memcpy(text + parts[index].place, raw + from, (size_t)parts[index].length);
    from += (size_t)parts[index].length;
  }
  free(parts);
  *at = start + (size_t)((packed + BLOCK - 1) / BLOCK * BLOCK);
  *data = text, *size = whole;
  return start;
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

int tar_read(char **wanted, int count, bool patterns) {
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
    if (type == 'S') {
      size_t packed = expand_sparse(header, raw, length, &at, &member.data, &size);
      data = member.data;
      if (!packed) die(2, "Unexpected EOF in archive");
      type = '0';
    }
    member.type = type, member.size = has_data ? size : 0, member.mode = (int)read_number(header->mode, 8), member.data = data;
    if (tar_excludes(member.name) || !is_wanted(member.name, wanted, seen, count, patterns)) continue;
    if (job.action == 't') list(&member);
    else {
      if (job.verbose) {
        const char *shown = job.shows_changed ? changed_name(member.name, 'r') : member.name;
        if (shown && job.to_stdout) fprintf(stderr, "%s\n", shown);
        else if (shown) tar_show(shown);
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
