/*
** editor.c - GNU readline, of which a process has one: Lua's own prompt and
** lua-readline share it. The latter has it read from a file of its own, which
** is closed whenever a line has come, and leaves it there: the next line that
** Lua's prompt asks for would come from a closed file.
*/
#include <dlfcn.h>
#include <stdio.h>

#include "base/class.h"
#include "openers.h"

/* Its variables; one that Lua's prompt does not have either is not found. */
static void set_file (const char *name, FILE *file) {
  FILE **variable = dlsym(RTLD_DEFAULT, name);
  if (variable != NULL)
    *variable = file;
}

static void set_flag (const char *name, int value) {
  int *variable = dlsym(RTLD_DEFAULT, name);
  if (variable != NULL)
    *variable = value;
}

/* restore_readline(): as if no line had been read. Ctrl-D once would have it
** end each line to come with an empty one. */
static int system_restore_readline (lua_State *L) {
  (void)L;
  set_file("rl_instream", stdin);
  set_file("rl_outstream", stdout);
  set_flag("rl_eof_found", 0);
  return 0;
}

static const Function functions[] = {
  {"restore_readline", system_restore_readline, 0},
  {NULL, NULL, 0}
};

void tide_openeditor (lua_State *L) { tide_setfuncs(L, functions); }
