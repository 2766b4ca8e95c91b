/* Memory that is there, or the tool ends. */
#include "cu.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void *sure(void *memory) {
  if (!memory) die(usage_status, "memory exhausted");
  return memory;
}

void *grab(size_t size) { return sure(malloc(size ? size : 1)); }
void *grab_zero(size_t count, size_t size) { return sure(calloc(count ? count : 1, size)); }
void *regrab(void *old, size_t size) { return sure(realloc(old, size ? size : 1)); }
char *copy_text(const char *text) { return copy_bytes(text, strlen(text)); }

char *copy_bytes(const char *text, size_t length) {
  char *copy = grab(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *join_path(const char *folder, const char *name) {
  size_t length = strlen(folder);
  return format_text("%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
}

char *format_text(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text;
  if (vasprintf(&text, format, args) < 0) sure(NULL);
  va_end(args);
  return text;
}

static void make_room(struct buffer *in, size_t more) {
  if (in->length + more <= in->room) return;
  in->room = (in->length + more) * 2 + 32;
  in->data = regrab(in->data, in->room);
}

void buffer_add(struct buffer *to, const void *data, size_t length) {
  make_room(to, length);
  if (length) memcpy(to->data + to->length, data, length);
  to->length += length;
}

void buffer_byte(struct buffer *to, char byte) {
  make_room(to, 1);
  to->data[to->length++] = byte;
}

void buffer_text(struct buffer *to, const char *text) { buffer_add(to, text, strlen(text)); }

void buffer_format(struct buffer *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text;
  int length = vasprintf(&text, format, args);
  va_end(args);
  if (length < 0) sure(NULL);
  buffer_add(to, text, (size_t)length);
  free(text);
}

char *buffer_end(struct buffer *of) {
  buffer_byte(of, 0);
  of->length--;
  return of->data;
}
