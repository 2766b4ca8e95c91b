/* tar: making archives */
#include "tar.h"
#include "deflate.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static struct buffer archive;

static void pad_to(size_t size) {
  while (archive.length % size) buffer_byte(&archive, 0);
}

/* A name that its field does not hold stands in a member of its own. */
static void add_long(const char *text, char type, size_t room) {
  if (!text || strlen(text) <= room) return;
  struct header longer = {.type = type, .magic = "ustar  "};
  strcpy(longer.name, "././@LongLink"), strcpy(longer.user, "root"), strcpy(longer.group, "root");
  write_number(longer.mode, 8, 0644), write_number(longer.uid, 8, 0), write_number(longer.gid, 8, 0);
  write_number(longer.size, 12, strlen(text) + 1), write_number(longer.mtime, 12, 0);
  sprintf(longer.sum, "%06o", sum_of(&longer)), longer.sum[7] = ' ';
  buffer_add(&archive, &longer, BLOCK);
  buffer_add(&archive, text, strlen(text) + 1);
  pad_to(BLOCK);
}

static void add_header(const char *name, const char *link, char type, uintmax_t size, int mode, time_t time) {
  struct header header = {0};
  size_t length = strlen(name);
  add_long(link, 'K', sizeof header.link);
  add_long(name, 'L', sizeof header.name);
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

static struct stat archive_about;

/* A name behind its last "..". */
static const char *below_up(const char *name) {
  const char *at = name;
  for (const char *part = name; *part;) {
    size_t length = strcspn(part, "/");
    if (length == 2 && !strncmp(part, "..", 2)) at = part + length;
    part += length + (part[length] == '/');
  }
  return at;
}

static void add_path(const char *path) {
  struct stat about;
  const char *name = path;
  if (!job.keeps_names) {
    name = below_up(path);
    while (*name == '/') name++;
    if (!*name) name = ".";
  }
  if (tar_excludes(path)) return;
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
    char *stored_name = transform_name(shown, 'r');
    if (*name && *stored_name) {
      if (job.verbose) tar_show(job.shows_changed ? stored_name : shown);
      add_header(stored_name, NULL, '5', 0, mode, about.st_mtim.tv_sec);
    }
    if (job.flat) return;
    char **names = list_folder(path);
    if (!names) warn_errno("%s: Cannot open", path);
    for (char **at = names; at && *at; at++) add_path(join_path(path, *at));
    return;
  }
  char *changed = transform_name(name, 'r');
  if (!*changed) return;
  if (stored_as(&about, name)) {
    if (job.verbose) tar_show(job.shows_changed ? changed : name);
    add_header(changed, transform_name(stored_as(&about, name), 'h'), '1', 0, S_ISLNK(about.st_mode) ? 0777 : mode, about.st_mtim.tv_sec);
  } else if (S_ISLNK(about.st_mode)) {
    char link[4097] = {0};
    if (readlink(path, link, sizeof link - 1) < 0) warn_errno("%s: Cannot read link", path);
    if (job.verbose) tar_show(job.shows_changed ? changed : name);
    add_header(changed, transform_name(link, 's'), '2', 0, 0777, about.st_mtim.tv_sec);
  } else if (S_ISREG(about.st_mode)) {
    char *data;
    size_t length;
    if (!read_whole(path, &data, &length)) return;
    if (job.verbose) tar_show(job.shows_changed ? changed : name);
    add_header(changed, NULL, '0', length, mode, about.st_mtim.tv_sec);
    buffer_add(&archive, data, length);
    pad_to(BLOCK);
    free(data);
  } else warn("%s: Unknown file type; file ignored", path);
}

static bool ends_with(const char *text, const char *end) {
  return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

int tar_make(char **names, int count, bool picks_by_name, bool lists) {
  int out = 1;
  char *target = strcmp(job.archive, "-") ? absolute_path(job.archive) : NULL;
  if (!count && !lists) warn("Cowardly refusing to create an empty archive"), tar_misused();
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
    const char *below = below_up(names[at]);
    if (!job.keeps_names && below > names[at]) fprintf(stderr, "%s: Removing leading `%.*s' from member names\n", tool, (int)(below - names[at]) + (*below == '/'), names[at]);
    else if (!job.keeps_names && *names[at] == '/' && !said) {
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
