/* Reading, in large pieces and without a copy of each line. */
#include "cu.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 65536 };

void input_from(struct input *input, int fd, const char *name) {
  *input = (struct input){.fd = fd, .name = name};
}

bool input_open(struct input *input, const char *name) {
  if (!strcmp(name, "-")) return input_from(input, 0, name), true;
  int fd = *name ? open(name, O_RDONLY) : (errno = ENOENT, -1);
  if (fd < 0) return warn_errno("%s", *name ? name_of(name) : quote_name(name)), false;
  input_from(input, fd, name);
  return true;
}

void input_close(struct input *input) {
  if (input->fd > 0) close(input->fd);
  free(input->data);
  input->data = NULL;
}

/* Reads more behind what is there; false at the end. */
static bool fill(struct input *input) {
  if (input->over) return false;
  if (input->at > 0 && input->at == input->end) input->at = input->end = 0;
  if (input->room - input->end < PIECE / 2) {
    if (input->at > input->room / 2) {
      memmove(input->data, input->data + input->at, input->end - input->at);
      input->end -= input->at;
      input->at = 0;
    } else {
      input->room = input->room ? input->room * 2 : PIECE;
      input->data = regrab(input->data, input->room);
    }
  }
  ssize_t length = read(input->fd, input->data + input->end, input->room - input->end);
  if (length > 0) return input->end += (size_t)length, true;
  input->over = true;
  if (length < 0) {
    struct stat about;
    input->failed = true;
    /* WASI calls it a bad descriptor. */
    if (fstat(input->fd, &about) == 0 && S_ISDIR(about.st_mode)) errno = EISDIR;
    warn_errno("%s", !strcmp(input->name, "-") ? "-" : name_of(input->name));
  }
  return false;
}

bool input_line(struct input *input, int delimiter, char **line, size_t *length) {
  size_t searched = 0;
  for (;;) {
    size_t there = input->end - input->at;
    char *start = input->data + input->at;
    char *end = there > searched ? memchr(start + searched, delimiter, there - searched) : NULL;
    if (end || input->over) {
      if (!end && !there) return false;
      *line = start;
      *length = end ? (size_t)(end - start) + 1 : there;
      input->at += *length;
      return true;
    }
    searched = there;
    fill(input);
  }
}

bool input_some(struct input *input, char **data, size_t *length) {
  if (input->at == input->end && !fill(input)) return false;
  *data = input->data + input->at;
  *length = input->end - input->at;
  input->at = input->end;
  return true;
}

int input_byte(struct input *input) {
  if (input->at == input->end && !fill(input)) return -1;
  return (unsigned char)input->data[input->at++];
}

char *input_rest(struct input *input, size_t *length) {
  struct stat about;
  if (!input->data && input->fd > 0 && fstat(input->fd, &about) == 0 && S_ISREG(about.st_mode)) {
    input->room = (size_t)about.st_size + PIECE / 2 + 1;
    input->data = grab(input->room);
  }
  while (fill(input));
  *length = input->end - input->at;
  char *data = input->data ? input->data : grab(1);
  if (input->at) memmove(data, data + input->at, *length);
  input->data = NULL;
  input->at = input->end = input->room = 0;
  return data;
}

bool read_whole(const char *name, char **data, size_t *length) {
  struct input input;
  if (!input_open(&input, name)) return false;
  *data = input_rest(&input, length);
  input_close(&input);
  return !input.failed;
}
