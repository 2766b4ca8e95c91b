/* What the parts of tar share. */
#ifndef TAR_H
#define TAR_H

#include "cu.h"

enum { BLOCK = 512, RECORD = 10240 };

/* A header as POSIX has it, in one block. */
struct header {
  char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[8], user[32], group[32], major[8], minor[8],
    prefix[155], rest[12];
};

struct person { const char *name; uintmax_t id; };

/* What tar was told. */
struct tar_job {
  char action; /* c x t r */
  bool gzips, verbose, to_stdout, keeps_old, keeps_names, no_time, flat, shows_changed;
  const char *archive, *folder, *mode;
  bool has_time, full_time, nul_lines;
  struct timespec time;
  struct person owner, group;
  int strip;
  const char **excludes;
  size_t exclude_count;
  bool excludes_plain, excludes_anchored;
};
extern struct tar_job tar_job;
#define job tar_job

/* tar.c */
_Noreturn void tar_misused(void);
bool tar_excludes(const char *name);
void tar_show(const char *name);

/* tar_header.c */
uintmax_t read_number(const char *field, size_t length);
void write_number(char *field, size_t length, uintmax_t value);
unsigned sum_of(const struct header *header);

/* tar_make.c, tar_read.c */
int tar_make(char **names, int count, bool picks_by_name, bool lists);
int tar_read(char **wanted, int count, bool patterns);

/* tar_transform.c: --transform. What a name becomes, if `kind` is changed: r (names), h (of hard links), s (of symbolic links). */
void add_transform(const char *text);
char *transform_name(const char *name, char kind);

#endif
