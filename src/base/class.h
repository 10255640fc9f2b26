/* class.h - how a type of tide is defined. See class.c. */
#ifndef TIDE_BASE_CLASS_H
#define TIDE_BASE_CLASS_H

#include <limits.h>

#include "state.h"

/* A function and its name in Lua. Lists of them end with a NULL. */
typedef struct Function {
  const char *name;
  lua_CFunction f;
  int most; /* arguments that it takes at most, with its object: see door.c */
} Function;

enum { ANY = INT_MAX };

/*
** A type: what Lua calls it, its methods, its fields (functions that get the
** object and push the value), its metamethods. Field and method names are
** looked up in that order; any other name is an error that suggests the
** nearest one. 'index' and 'newindex', if not NULL, see keys that are not
** strings.
*/
typedef struct Class {
  const char *name; /* "tide.Stream" */
  const Function *methods;
  const Function *fields;
  const Function *metamethods;
  lua_CFunction index;
  const struct Class *other; /* or NULL; it has names that this one lacks, */
  const char *hint;          /* and errors say this of them */
} Class;

/* Every object begins with its class: a check is two compares. */
typedef struct Object {
  const Class *class;
  State *state; /* of its lua_State */
} Object;

/* Makes the metatable. Called once per State and class, at open. */
void tide_newclass (lua_State *L, const Class *class);

/*
** Pushes a new object of 'size' bytes, all zero (that is: closed) except for
** its class, with 'nuv' user values.
*/
void *tide_newobject (lua_State *L, size_t size, const Class *class, int nuv);

/* tide_newobject for a caller that has the State. */
void *tide_newobjectof (lua_State *L, State *st, size_t size,
                        const Class *class, int nuv);

/*
** Pushes n bytes that are never taken for an object, whatever their contents.
** Freed objects leave their class behind, and a program's bytes may be
** anything, while calls look for objects among all values on their stack
** (tide_drop).
*/
void *tide_newmemory (lua_State *L, size_t n);

/* Returns the object at 'arg', or NULL. Userdata of other libraries may be
** smaller than a pointer. */
static inline void *tide_asobject (lua_State *L, int arg, const Class *class) {
  Object *o = lua_touserdata(L, arg);
  if (o != NULL && lua_rawlen(L, arg) >= sizeof(Object) && o->class == class)
    return o;
  return NULL;
}

/* Raises an error that says what is wrong with the value at 'arg'. */
void *tide_wrongobject (lua_State *L, int arg, const Class *class);

/*
** Return the object at 'arg'. For another value tide_checkobject raises a type
** error, and tide_testobject returns NULL. Both raise once the State is closed:
** an object made by others' finalizers during lua_close is never finalized, and
** its resource is gone.
*/
static inline void *tide_checkobject (lua_State *L, int arg,
                                      const Class *class) {
  Object *o = tide_asobject(L, arg, class);
  if (o == NULL || o->state->closed)
    return tide_wrongobject(L, arg, class);
  return o;
}

/* Returns the object at 1, of either class, for finalizers; also once tide is
** closed. */
void *tide_endobject (lua_State *L, const Class *class, const Class *other);
void *tide_testobject (lua_State *L, int arg, const Class *class);

/*
** A name in a list may begin with the mark of a group that host programs
** can leave out: 1 + log2 of its bit in tide.h.
*/
#define GROUP_POINTERS "\1" /* gives or takes raw addresses */
#define GROUP_KERNELS "\2"  /* takes code for the device */
#define GROUP_FILES "\3"    /* opens, reads or writes files */
#define GROUP_RESET "\4"    /* destroys objects of other Lua states */
enum { GROUP_LAST = 4 };

/* The mark of a function that calls the program's own functions, which may
** yield, and queues nothing itself: it is behind no door. It follows the mark
** of the group. */
#define CALLS_BACK "\5"

/*
** Sets functions in the table on the top, each with the State as upvalue and,
** except finalizers, behind a door (door.h), which refuses surplus arguments.
** Functions that are left out become functions that raise an error.
*/
void tide_setfuncs (lua_State *L, const Function *list);

/* Pushes the table of methods of the class whose metatable is at 'idx'. */
void tide_pushmethods (lua_State *L, int idx);

/* Adds methods to a class that exists already. */
void tide_addmethods (lua_State *L, const Class *class, const Function *list);

/* Adds the Lua functions of the table at 'list' as methods. They are behind no
** door, but the functions that they call are. */
void tide_addluamethods (lua_State *L, const Class *class, int list);

/* Pushes the method of an object, or the value of its field, within a call of
** tide. A look-up by Lua alone would not do, because hooks may run other calls
** in it. */
void tide_pushmethod (lua_State *L, int idx, const char *name);
void tide_pushfield (lua_State *L, int idx, const char *name);

/* Push one C function with the State as its upvalue, the second one behind a
** door. */
void tide_pushfunction (lua_State *L, lua_CFunction f);
void tide_pushdoor (lua_State *L, lua_CFunction f, int most);

/* Makes the table on the top callable, as that function. Errors call it 'name'
** where Lua has no name; its arguments come after the table. */
void tide_setcall (lua_State *L, const char *name, lua_CFunction f);

/*
** Checks a table of options: every key must be in 'names' (NULL-terminated).
** nil or none is an empty table of options. Returns the set of keys that are
** present: bit i is that of names[i].
*/
unsigned tide_checkoptions (lua_State *L, int arg, const char *const names[]);

/* Returns the index in 'names' of the string at 'arg'; 'def' (-1: none) if
** there is none. */
int tide_checkchoice (lua_State *L, int arg, int def,
                      const char *const names[]);

/* Returns options that are all flags: bit i is that of names[i], false by
** default. */
unsigned tide_checkflags (lua_State *L, int arg, const char *const names[]);

/* Pushes an option of a table, which is read without metamethods. Returns its
** type. */
int tide_getoption (lua_State *L, int arg, const char *name);

/* Returns an option's value, or its default. Raises naming the option. */
bool tide_optflag (lua_State *L, int arg, const char *name, bool def);
lua_Integer tide_optint (lua_State *L, int arg, const char *name,
                         lua_Integer def);
lua_Number tide_optnum (lua_State *L, int arg, const char *name,
                        lua_Number def);

#endif
