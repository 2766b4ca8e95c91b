// Where `pthread.h` beside this keeps its values; and jq's tests of itself, which are not built.
#include "jv.h"
#include "pthread.h"

void *deputy_values[DEPUTY_KEYS];
int deputy_keys = 0;

int jq_testsuite(jv folders, int verbose, int argc, char *argv[]) {
  (void)verbose, (void)argc, (void)argv;
  jv_free(folders);
  return 2;
}
