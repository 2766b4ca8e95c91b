/* What the host gives besides preview 1. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int host_mode_get(const char *path, bool follow, uint32_t *mode);
int host_mode_set(const char *path, uint32_t mode);
unsigned host_umask(void);
/* The folder in which the tool begins: its length, no more than `room`. */
size_t host_folder(char *to, size_t room);

#endif
