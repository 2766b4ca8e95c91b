/* What every tool shares: messages, memory, options, input, text. */
#ifndef CU_H
#define CU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* ---- messages (message.c) ---- */

/* The name of the running tool, as messages begin with it. */
extern const char *tool;
/* What a wrong option ends the tool with: 1, unless the tool says otherwise. */
extern int usage_status;
/* A line that stands before "Try 'tool --help' …", for the tools that have one. */
extern const char *usage_line;
/* Whether that line, too, begins with the name, as in diffutils. */
extern bool hints_named;
/* What the tool ends with; warnings set it to `warn_status`. */
extern int exit_status;
extern int warn_status;

#define PRINTF(at) __attribute__((format(printf, at, at + 1)))

/* "tool: message". The first kind adds what errno says. */
void warn_errno(const char *format, ...) PRINTF(1);
void warn(const char *format, ...) PRINTF(1);
_Noreturn void die_errno(int status, const char *format, ...) PRINTF(2);
_Noreturn void die(int status, const char *format, ...) PRINTF(2);
/* The message, then "Try 'tool --help' …", and `usage_status`. */
_Noreturn void usage_error(const char *format, ...) PRINTF(1);
_Noreturn void try_help(void);
/* Ends the tool with what it has written on its way. */
_Noreturn void finish(int status);

/* Asks "tool: question? " and reads a line of standard input: true if it begins with y. */
bool confirm(const char *format, ...) PRINTF(1);

/* Texts in messages, as GNU quotes them: ‘text’, 'file name', and a file name that is quoted only if it must be. */
const char *quote(const char *text);
const char *quote_name(const char *name);
const char *name_of(const char *name);

/* ---- memory (memory.c) ---- */

void *grab(size_t size);
void *grab_zero(size_t count, size_t size);
void *regrab(void *old, size_t size);
char *copy_text(const char *text);
char *copy_bytes(const char *text, size_t length);
char *join_path(const char *folder, const char *name);
/* The text that printf would write. */
char *format_text(const char *format, ...) PRINTF(1);

/* Bytes that grow. */
struct buffer {
  char *data;
  size_t length, room;
};
void buffer_add(struct buffer *to, const void *data, size_t length);
void buffer_byte(struct buffer *to, char byte);
void buffer_text(struct buffer *to, const char *text);
void buffer_format(struct buffer *to, const char *format, ...) PRINTF(2);
/* The data as a text that ends with NUL, which is not counted. */
char *buffer_end(struct buffer *of);

/* ---- options (options.c) ---- */

enum { NO_VALUE, NEEDS_VALUE, MAY_HAVE_VALUE };
struct long_option {
  const char *name;
  int takes, id;
};
/* Options in any order among operands, as getopt_long reads them. `shorts` is as there; '+' first: operands end options. */
struct options {
  int argc;
  char **argv;
  const char *shorts;
  const struct long_option *longs;
  int at;
  const char *cluster;
  char *value;
  char **operands;
  int count;
};
void options_begin(struct options *options, int argc, char **argv, const char *shorts, const struct long_option *longs);
/* The id of the next option (for a short one its letter), or -1. */
int options_next(struct options *options);

/* One of several words, or a beginning of one that no other has; ends the tool with GNU's message if it is none. */
int choose_word(const char *option, const char *word, const char *const *words);

/* Whole numbers with an optional suffix (b, kB, K, KiB, MB, M …), no more than INTMAX_MAX. False if it is none. */
bool parse_size(const char *text, intmax_t *size);
bool parse_count(const char *text, intmax_t *count);

/* ---- input (input.c) ---- */

struct input {
  int fd;
  const char *name; /* as messages call it */
  char *data;
  size_t at, end, room;
  bool over, failed;
};
/* Opens a file; "-" is standard input. False, after a message, if it cannot be opened. */
bool input_open(struct input *input, const char *name);
void input_from(struct input *input, int fd, const char *name);
void input_close(struct input *input);
/* A line with its delimiter (the last one may have none); valid until the next call. False at the end. */
bool input_line(struct input *input, int delimiter, char **line, size_t *length);
/* Some bytes that are there; false at the end. */
bool input_some(struct input *input, char **data, size_t *length);
int input_byte(struct input *input);
/* All that is left. The memory is the caller's. */
char *input_rest(struct input *input, size_t *length);
/* All of a file; false, after a message, if it cannot be read. */
bool read_whole(const char *name, char **data, size_t *length);

/* Each operand in turn as an input, or standard input if there is none. */
#define NO_FILES ((char *[]){"-"})

/* ---- text (text.c) ---- */

/* True for a tool that is to know bytes only: each is then a character. */
extern bool text_is_bytes;
/* The character at `text`, and how many bytes it takes; one byte that is no UTF-8 is -1. `length` is at least 1. */
int32_t read_char(const char *text, size_t length, int *bytes);
int write_char(int32_t character, char *to);
size_t count_chars(const char *text, size_t length);
/* Columns that a character takes on a terminal. */
int char_width(int32_t character);
size_t text_width(const char *text, size_t length);
bool is_valid_utf8(const char *text, size_t length);
const char *base_of(const char *path);
/* Writes the byte that an escape such as \n, \x41 or \101 means, after its backslash. The number of characters read. */
int read_escape(const char *text, char *byte);

/* ---- files (files.c) ---- */

bool is_directory(const char *path);
/* Names in a directory, sorted; NULL and errno. The list ends with NULL. */
char **list_folder(const char *path);
/* The absolute path, as it was written. */
char *absolute_path(const char *path);
/* The path without links, `.` and `..`. What must exist: all of it, all but the last part, or nothing. NULL and errno. */
enum { MUST_ALL, MUST_FOLDER, MUST_NOTHING };
char *real_path(const char *path, int must);
/* The last part of a path, without slashes at its end. The memory is the caller's. */
char *last_part(const char *path);
/* "-rw-r--r--" */
void show_mode(char *to, const struct stat *about, int mode);
/* Blocks of 1,024 bytes that a disk would need. */
intmax_t blocks_of(const struct stat *about);
/* A size as `-h` shows it. */
char *human_size(intmax_t bytes);
/* What a mode of chmod makes of another; -1 if it is none. */
int parse_mode(const char *text, int mode, bool folder, int umasked);
/* Takes a file, or a folder with all that is in it, away (remove.c). False, after a message, if something stays. */
bool remove_tree(const char *path, bool verbose, bool force);
/* Copies one file's bytes; false, after a message (copy.c). */
bool copy_data(const char *from, const char *to);
/* A file name against a pattern of the shell. */
enum { GLOB_NO_CASE = 1, GLOB_PATH = 2 };
bool glob_match(const char *pattern, const char *text, int flags);

/* ---- times (times.c) and zones (zone.c) ---- */

/* A time as people write it: "2024-05-06 07:08", "@12", "now", "yesterday", "2 days ago". False if it is none. */
bool parse_time(const char *text, struct timespec *time);
/* The zone that counts from now on; until then it is what TZ says. */
void zone_use(const char *name);
/* Seconds east of UTC at a time, and what the zone is then called. */
long zone_at(time_t time, const char **name);
void local_time(time_t time, struct tm *when);
/* As mktime, but the parts may be out of range and nothing of them is changed. */
time_t from_local(struct tm *when);
/* strftime in that zone, with GNU's additions (date.c). The memory is the caller's. */
char *format_time(const char *format, struct timespec time);

/* ---- the host (host.c) ---- */

/* Goes to the folder in which the tool is to begin. */
void enter_first_folder(void);
/* Permission bits, which WASI does not have; -1 and errno. */
int mode_of(const char *path, bool follow);
int change_mode(const char *path, int mode);
/* Runs a command as env and xargs do, with their messages and 126 or 127 if it cannot be run (start.c). */
int start_command(char **argv, bool input, double seconds);
/* Runs a command to its end and gives its exit code; -1 and errno. Without `input` it reads nothing. 0 seconds: no end. */
int run_command(char **argv, bool input, double seconds);

#endif
