/*
** slowreads.c - a program on a machine that reads files slowly: 20 ms for each
** piece of more than a page, and ten times that for the first byte's. Runs the
** Lua code of its first argument.
*/
#include "embed.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Instead of libc's, for tide as well. */
__attribute__((visibility("default"))) ssize_t pread (int fd, void *to,
                                                      size_t n, off_t off) {
  if (n > 4096)
    usleep(off == 0 ? 200000 : 20000);
  return syscall(SYS_pread64, fd, to, n, off);
}

int main (int argc, char **argv) {
  lua_State *L = open_state();
  if (argc < 2 || run(L, argv[1]) != 0)
    return 1;
  lua_close(L);
  puts("ok");
  return 0;
}
