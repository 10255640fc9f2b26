/*
** build.c - makes programs for the host device, step by step.
*/
#include "build.h"

#include <stdio.h>
#include <string.h>

#include "rt/kernels/kernels.h"

/* {== types =========================================================== */

static const char *const suffixes[] = {
#define D(ID, suffix, name, ctype) #suffix,
#include "rt/kernels/dtype.def"
#undef D
};

static const char *const names[] = {
#define D(ID, suffix, name, ctype) name,
#include "rt/kernels/dtype.def"
#undef D
};

const char *build_suffix (DType t) { return suffixes[t]; }

const char *build_size_suffix (DType t) {
  switch (dtype_size(t)) {
    case 1: return "1";
    case 2: return "2";
    case 4: return "4";
    case 8: return "8";
    case 16: return "16";
    default: return "";
  }
}

int build_find_dtype (const char *name) {
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (strcmp(names[t], name) == 0)
      return t;
  return -1;
}

char build_dtype_kind (DType t) {
  return t == DTYPE_BOOL ? 'b' : names[t][0] == 'b' ? 'f' : names[t][0];
}

/* ==} */

enum { LOCAL_BYTES = 16 << 20 }; /* of registers, if there are arrays */

/* {== slots and steps ================================================= */

static int add_slot (Builder *b, SlotKind kind, int arg, size_t bytes,
                     uint64_t value) {
  if (b->p.nslots == BODY_SLOTS + STRIDED_SLOTS * b->strided) {
    b->error = "the kernel has too many values for the host device";
    return 0;
  }
  Slot *s = &b->p.slots[b->p.nslots];
  s->kind = (uint8_t)kind;
  s->arg = (uint16_t)arg;
  s->bytes = (uint8_t)bytes;
  s->value = value;
  return b->p.nslots++;
}

void build_begin (Builder *b, int nargs) {
  memset(b, 0, sizeof *b);
  memcpy(b->p.magic, PROGRAM_MAGIC, sizeof PROGRAM_MAGIC);
  b->ntexts = 1;
  b->p.nargs = (uint16_t)nargs;
  b->count = add_slot(b, SLOT_COUNT, 0, 8, 0);
}

int build_step (Builder *b, int fn, int n, const int *args) {
  if (b->p.nsteps == BODY_STEPS + b->strided) {
    b->error = "the kernel has too many operations for the host device";
    return 0;
  }
  Step *s = &b->p.steps[b->p.nsteps];
  s->fn = fn;
  for (int i = 0; i < n; i++)
    s->arg[i] = (uint16_t)args[i];
  return b->p.nsteps++;
}

static Value new_value (int slot, DType t, bool number) {
  return (Value){slot, t, number, false, false};
}

Value build_stream (Builder *b, int arg, DType t) {
  return new_value(add_slot(b, SLOT_STREAM, arg, dtype_size(t), 0), t, false);
}

/* A slot has room for 8 bytes. */
static void check_number (Builder *b, DType t) {
  if (dtype_size(t) > 8)
    b->error = "one number of that dtype for all elements does not fit";
}

Value build_first (Builder *b, int arg, DType t) {
  check_number(b, t);
  return new_value(add_slot(b, SLOT_FIRST, arg, dtype_size(t), 0), t, true);
}

Value build_argument (Builder *b, int arg, DType t) {
  return new_value(add_slot(b, SLOT_ARG, arg, 8, 0), t, true);
}

/* Returns where the name is in the program's texts; 0: there is no room. */
static int add_text (Builder *b, const char *name, int len) {
  int at = b->ntexts;
  if (len + 1 > PROGRAM_TEXTS - at)
    return 0;
  memcpy(b->p.texts + at, name, (size_t)len);
  b->p.texts[at + len] = '\0';
  b->ntexts += len + 1;
  return at;
}

Value build_array (Builder *b, int arg, DType t, const char *name) {
  Value v = build_argument(b, arg, t);
  int at = add_text(b, name, (int)strlen(name));
  b->p.slots[v.slot].value = (uint64_t)at;
  b->p.slots[v.slot].bytes = (uint8_t)dtype_size(t);
  return v;
}

Value build_local (Builder *b, DType t, int n, const char *name, int len) {
  size_t bytes = dtype_size(t);
  int at = add_text(b, name, len);
  Value v = new_value(add_slot(b, SLOT_REGISTER, at, bytes, b->p.bytes), t,
                      false);
  if (b->p.bytes + bytes * PROGRAM_BLOCK * (size_t)n > LOCAL_BYTES)
    b->error = "the kernel has too large arrays for the host device";
  if (b->error != NULL)
    return v;
  b->p.bytes += (uint32_t)(bytes * PROGRAM_BLOCK * (size_t)n);
  Value zero = build_integer(b, t, 0);
  Value count = build_integer(b, DTYPE_INT64, (int64_t)n * PROGRAM_BLOCK);
  build_step(b, build_find_step("spread", build_size_suffix(t)), 3,
             (int[]){v.slot, zero.slot, count.slot});
  return v;
}

/* The step expects the five numbers in consecutive slots. */
Value build_strided (Builder *b, int arg, int axes, DType t) {
  b->strided++;
  Value array = build_argument(b, arg, t), place = build_argument(b, axes, t);
  build_argument(b, axes + 1, t);
  for (int i = 1; i <= PARAM_AXES; i++)
    build_argument(b, arg + i, t);
  Value index = build_special(b, SLOT_INDEX), room = build_register(b, t);
  Value z = new_value(add_slot(b, SLOT_OTHER, 0, dtype_size(t), 0), t, false);
  build_step(b, build_find_step("fetch", build_size_suffix(t)), 6,
             (int[]){z.slot, array.slot, place.slot, index.slot, b->count,
                     room.slot});
  return z;
}

void build_name (Builder *b, const char *name) {
  snprintf(b->p.name, sizeof b->p.name, "%s", name);
}

Value build_special (Builder *b, SlotKind kind) {
  return new_value(add_slot(b, kind, 0, 8, 0), DTYPE_INT64, true);
}

Value build_indices (Builder *b) {
  int slot = add_slot(b, SLOT_INDICES, 0, 8, b->p.bytes);
  b->p.bytes += (uint32_t)(sizeof(int64_t) * PROGRAM_BLOCK);
  return new_value(slot, DTYPE_INT64, false);
}

Value build_number (Builder *b, DType t, const void *bits) {
  uint64_t value = 0;
  check_number(b, t);
  if (b->error == NULL)
    memcpy(&value, bits, dtype_size(t));
  Value v = new_value(add_slot(b, SLOT_NUMBER, 0, 8, value), t, true);
  v.constant = true;
  return v;
}

Value build_integer (Builder *b, DType t, int64_t n) {
  if (build_dtype_kind(t) == 'f')
    return build_double(b, t, (double)n);
  if (t == DTYPE_BOOL)
    n = (n != 0);
  return build_number(b, t, &n); /* little-endian: its first bytes */
}

/* A number of type float32 or float64; for other types the program converts it
** at run time. */
Value build_double (Builder *b, DType t, double x) {
  float single = (float)x;
  if (t == DTYPE_FLOAT32)
    return build_number(b, t, &single);
  Value v = build_number(b, DTYPE_FLOAT64, &x);
  return (t == DTYPE_FLOAT64) ? v : build_convert(b, v, t);
}

Value build_register (Builder *b, DType t) {
  size_t bytes = dtype_size(t);
  Value v = new_value(0, t, false);
  v.temp = true;
  for (int i = b->nspare - 1; i >= 0; i--) {
    if (b->p.slots[b->spare[i]].bytes == bytes) {
      v.slot = b->spare[i];
      b->spare[i] = b->spare[--b->nspare];
      return v;
    }
  }
  v.slot = add_slot(b, SLOT_REGISTER, 0, bytes, b->p.bytes);
  b->p.bytes += (uint32_t)(bytes * PROGRAM_BLOCK);
  return v;
}

void build_release (Builder *b, Value v) {
  if (v.temp && !v.number && b->nspare < MAX_SLOTS)
    b->spare[b->nspare++] = (uint16_t)v.slot;
}

/* ==} */

/* {== operations ====================================================== */

/* Returns a place for the result: that of an operand that is not read again, if
** the elements are of one size, else a new one. */
static Value result (Builder *b, DType t, Value *x, Value *y) {
  Value *of[2] = {x, y};
  for (int i = 0; i < 2; i++) {
    Value *v = of[i];
    if (v != NULL && v->temp && !v->number &&
        dtype_size(v->t) == dtype_size(t)) {
      Value z = *v;
      z.t = t;
      v->temp = false; /* must not be released */
      return z;
    }
  }
  return build_register(b, t);
}

Value build_elements (Builder *b, Value x) {
  if (!x.number)
    return x;
  Value z = build_register(b, x.t);
  int fn = build_find_step("spread", build_size_suffix(x.t));
  build_step(b, fn, 3, (int[]){z.slot, x.slot, b->count});
  return z;
}

static void check (Builder *b, int id) {
  if (id < 0 && b->error == NULL)
    b->error = "an operation is not defined for its operands";
}

/* Returns the host kernel for such operands; exchanges them if it needs
** that. */
static int find_binary (BinaryOp op, Value *x, Value *y) {
  Form form = x->number ? FORM_SV : y->number ? FORM_VS : FORM_VV;
  int id = kernel_binary(op, form, x->t);
  if (id < 0 && (id = kernel_turned(op, form, x->t)) >= 0) {
    Value first = *x;
    *x = *y;
    *y = first;
  }
  return id;
}

Value build_binary (Builder *b, BinaryOp op, Value x, Value y) {
  if (x.number && y.number)
    x = build_elements(b, x);
  int id = find_binary(op, &x, &y);
  if (id < 0) {
    x = build_elements(b, x);
    y = build_elements(b, y);
    id = find_binary(op, &x, &y);
  }
  check(b, id);
  if (b->error != NULL)
    return x;
  Value z = result(b, (DType)kernel_binary_dtype(op, x.t), &x, &y);
  build_step(b, id, 4, (int[]){z.slot, x.slot, y.slot, b->count});
  build_release(b, x);
  build_release(b, y);
  return z;
}

Value build_unary (Builder *b, UnaryOp op, Value x) {
  x = build_elements(b, x);
  int id = kernel_unary(op, x.t);
  check(b, id);
  if (b->error != NULL)
    return x;
  Value z = result(b, (DType)kernel_unary_dtype(op, x.t), &x, NULL);
  build_step(b, id, 3, (int[]){z.slot, x.slot, b->count});
  build_release(b, x);
  return z;
}

/* Converts a constant at build time, if that is exact. */
static bool convert_constant (Builder *b, Value *x, DType t) {
  uint64_t bits = b->p.slots[x->slot].value;
  double number;
  float single;
  if (!x->constant || (t != DTYPE_FLOAT32 && t != DTYPE_FLOAT64))
    return false;
  memcpy(&single, &bits, sizeof single);
  memcpy(&number, &bits, sizeof number);
  if (x->t == DTYPE_INT32)
    number = (double)(int32_t)bits;
  else if (x->t == DTYPE_INT64)
    number = t == DTYPE_FLOAT32 ? (float)(int64_t)bits : (double)(int64_t)bits;
  else if (x->t == DTYPE_FLOAT32)
    number = single;
  else if (x->t != DTYPE_FLOAT64)
    return false;
  *x = build_double(b, t, number);
  return true;
}

Value build_convert (Builder *b, Value x, DType t) {
  if (x.t == t || convert_constant(b, &x, t))
    return x;
  x = build_elements(b, x);
  int id = kernel_cast(x.t, t);
  if (id < 0 && b->error == NULL)
    return build_convert(b, build_convert(b, x, kernel_cast_via(x.t, t)), t);
  if (b->error != NULL)
    return x;
  Value z = result(b, t, &x, NULL);
  build_step(b, id, 3, (int[]){z.slot, x.slot, b->count});
  build_release(b, x);
  return z;
}

/* ==} */

/* {== functions of program.def ======================================== */

int build_find_step (const char *name, const char *suffix) {
  static const char *const known[] = {
#define F(name, args) #name,
#include "program.def"
#undef F
  };
  char full[32];
  snprintf(full, sizeof full, "%s_%s", name, suffix);
  for (int i = 0; i < FN_COUNT; i++)
    if (strcmp(known[i], full) == 0)
      return PROGRAM_FNS + i;
  return -1;
}

Value build_function (Builder *b, const char *name, const char *suffix, DType t,
                      int n, const Value *operands) {
  int fn = build_find_step(name, suffix), args[STEP_ARGS];
  Value x[STEP_ARGS - 2];
  for (int i = 0; i < n; i++)
    x[i] = build_elements(b, operands[i]);
  check(b, fn);
  if (b->error != NULL)
    return x[n - 1];
  Value z = result(b, t, &x[n > 1 ? n - 2 : 0], n > 1 ? &x[n - 1] : NULL);
  args[0] = z.slot;
  for (int i = 0; i < n; i++)
    args[i + 1] = x[i].slot;
  args[n + 1] = b->count;
  build_step(b, fn, n + 2, args);
  for (int i = 0; i < n; i++)
    build_release(b, x[i]);
  return z;
}

Value build_select (Builder *b, Value mask, Value x, Value y) {
  return build_function(b, "select", build_size_suffix(x.t), x.t, 3,
                        (Value[]){mask, x, y});
}

/* Tells whether the step reads its first argument before it writes it. */
static bool exchanges (const Step *s) {
  int fn = s->fn - PROGRAM_FNS;
  return fn >= FN_atomic_add_u32 && fn <= FN_atomic_xor_u64;
}

/* Lets the step that has just made x write there. */
void build_store (Builder *b, Value to, Value x) {
  Step *last = (b->p.nsteps > 0) ? &b->p.steps[b->p.nsteps - 1] : NULL;
  if (last != NULL && last->fn >= 0 && x.temp && !x.number &&
      last->arg[0] == x.slot && !exchanges(last)) {
    last->arg[0] = (uint16_t)to.slot;
    build_release(b, x);
    return;
  }
  const char *name = x.number ? "spread" : "copy";
  int fn = build_find_step(name, build_size_suffix(x.t));
  check(b, fn);
  if (b->error == NULL && x.slot != to.slot)
    build_step(b, fn, 3, (int[]){to.slot, x.slot, b->count});
  build_release(b, x);
}

/* ==} */
