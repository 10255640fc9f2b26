/* option.h - tables of options, as arguments. See option.c. */
#ifndef TIDE_BASE_OPTION_H
#define TIDE_BASE_OPTION_H

#include <lua.h>
#include <stdbool.h>

/*
** Checks a table of options: every key must be in 'names' (NULL-terminated).
** nil or none is an empty table of options. Returns the set of keys that are
** present: bit i is that of names[i].
*/
unsigned option_check (lua_State *L, int arg, const char *const names[]);

/* Returns the index in 'names' of the string at 'arg'; 'def' (-1: none) if
** there is none. */
int option_choice (lua_State *L, int arg, int def, const char *const names[]);

/* Returns options that are all flags: bit i is that of names[i], false by
** default. */
unsigned option_flags (lua_State *L, int arg, const char *const names[]);

/* Pushes an option of a table, which is read without metamethods. Returns its
** type. */
int option_get (lua_State *L, int arg, const char *name);

/* Returns an option's value, or its default. Raises naming the option. */
bool option_flag (lua_State *L, int arg, const char *name, bool def);
lua_Integer option_integer (lua_State *L, int arg, const char *name,
                            lua_Integer def);
lua_Number option_number (lua_State *L, int arg, const char *name,
                          lua_Number def);

/* Returns the index of the option's string in 'words', or its default. */
int option_word (lua_State *L, int arg, const char *name, int def,
                 const char *const words[]);

#endif
