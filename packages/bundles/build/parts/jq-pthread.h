// Threads for a program that has only one.
#pragma once
#include <stdlib.h>
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER 0
#define DEPUTY_KEYS 16
typedef int pthread_key_t;
typedef int pthread_once_t;
typedef int pthread_mutex_t;
extern void *deputy_values[DEPUTY_KEYS];
extern int deputy_keys;
static inline int pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
  (void)end;
  if (deputy_keys >= DEPUTY_KEYS) return 1;
  *key = deputy_keys++;
  return 0;
}
static inline int pthread_setspecific(pthread_key_t key, const void *value) {
  deputy_values[key] = (void *)value;
  return 0;
}
static inline void *pthread_getspecific(pthread_key_t key) { return deputy_values[key]; }
static inline int pthread_once(pthread_once_t *once, void (*begin)(void)) {
  if (!*once) {
    *once = 1;
    begin();
  }
  return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
