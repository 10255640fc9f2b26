/* class.h - how a type of tide is defined. See class.c. */
#ifndef TIDE_BASE_CLASS_H
#define TIDE_BASE_CLASS_H

#include <limits.h>

#include "state.h"

/* A function and its name in Lua. Lists of them end with a NULL. */
typedef struct Function {
  const char *name;
  lua_CFunction f;
  int most; /* arguments that it takes at most, with its object: see entry.c */
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
void class_define (lua_State *L, const Class *class);

/*
** Pushes a new object of 'size' bytes, all zero (that is: closed) except for
** its class, with 'nuv' user values.
*/
void *class_new_object (lua_State *L, size_t size, const Class *class, int nuv);

/* class_new_object for a caller that has the State. */
void *class_new_object_in (lua_State *L, State *st, size_t size,
                           const Class *class, int nuv);

/*
** Pushes n bytes that are never taken for an object, whatever their contents.
** Freed objects leave their class behind, and a program's bytes may be
** anything, while calls look for objects among all values on their stack
** (array_drop).
*/
void *class_new_memory (lua_State *L, size_t n);

/* Returns the object at 'arg', or NULL. Userdata of other libraries may be
** smaller than a pointer. */
static inline void *class_as_object (lua_State *L, int arg,
                                     const Class *class) {
  Object *o = lua_touserdata(L, arg);
  if (o != NULL && lua_rawlen(L, arg) >= sizeof(Object) && o->class == class)
    return o;
  return NULL;
}

/* Raises an error that says what is wrong with the value at 'arg'. */
void *class_refuse (lua_State *L, int arg, const Class *class);

/*
** Return the object at 'arg'. For another value class_check raises a type
** error, and class_test returns NULL. Both raise once the State is closed:
** an object made by others' finalizers during lua_close is never finalized, and
** its resource is gone.
*/
static inline void *class_check (lua_State *L, int arg, const Class *class) {
  Object *o = class_as_object(L, arg, class);
  if (o == NULL || o->state->closed)
    return class_refuse(L, arg, class);
  return o;
}

/* Returns the object at 1, of either class, for finalizers; also once tide is
** closed. */
void *class_check_gc (lua_State *L, const Class *class, const Class *other);
void *class_test (lua_State *L, int arg, const Class *class);

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
** yield, and queues nothing itself: it is called without an API entry. It
** follows the mark of the group. */
#define CALLS_BACK "\5"

/*
** Sets functions in the table on the top, each with the State as upvalue and,
** except finalizers, an API entry (entry.h), which refuses surplus arguments.
** Functions that are left out become functions that raise an error.
*/
void class_set_funcs (lua_State *L, const Function *list);

/* Adds a module of such functions, which tide's own Lua takes from
** package.loaded. */
void class_add_module (lua_State *L, const char *name, const Function *list);

/* Pushes the table of methods of the class whose metatable is at 'idx'. */
void class_push_methods (lua_State *L, int idx);

/* Adds methods to a class that exists already. */
void class_add_methods (lua_State *L, const Class *class, const Function *list);

/* Adds the Lua functions of the table at 'list' as methods. They have no API
** entry, but the functions that they call have one. */
void class_add_lua_methods (lua_State *L, const Class *class, int list);

/* Pushes the method of an object, or the value of its field, within a call of
** tide. A look-up by Lua alone would not do, because hooks may run other calls
** in it. */
void class_push_method (lua_State *L, int idx, const char *name);
void class_push_field (lua_State *L, int idx, const char *name);

/* Push one C function with the State as its upvalue, the second one as an API
** entry. */
void class_push_function (lua_State *L, lua_CFunction f);
void class_push_entry (lua_State *L, lua_CFunction f, int most);

/* Makes the table on the top callable, as that function. Errors call it 'name'
** where Lua has no name; its arguments come after the table. */
void class_set_call (lua_State *L, const char *name, lua_CFunction f);

#endif
