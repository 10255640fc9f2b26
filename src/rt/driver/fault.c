/*
** fault.c - the latest operations of the program, for the message when a
** device fails.
**
** DESIGN. A kernel's fault shows at some later call. Then the context is lost:
** every call returns the same code, and events can no longer be queried. Any
** operation not known to be done may have caused it. So each stream remembers
** the last operation of each of the latest LAUNCH_RECORDS places of the program
** (name, file, line) that used it; for tide's own operations the name is
** enough. A loop comes to the same places in the same order, so the next place
** is mostly the expected one, and remembering costs a few comparisons. A place
** holds references to names that the program gave (names.c), so equal addresses
** mean equal names.
**
** A code that may be fatal is believed once a harmless query fails with a fatal
** code as well. The fault is noted in the device, and context_enter returns it
** for every later call.
*/
#include "fault.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "names.h"
#include "rt/code/code_types.h"
#include "rt/queue/stream_types.h"
#include "status.h"

enum { SUSPECTS = 12 }; /* lines of a message */

/* {== places ========================================================== */

void fault_set_line (Runtime *rt, const char *text, int line) {
  RtName *last = rt->source;
  rt->line = line;
  if (last != NULL && strcmp(last->text, text) == 0)
    return;
  rt->source = name_intern(rt, text);
  name_drop(rt, last);
}

static bool is_at (const LaunchRecord *c, const Op *op, const RtName *source,
                   int line) {
  return c->line == line && c->name == op->name && c->source == source;
}

/* Retains the new names before it drops the old ones, which may be equal. */
static void fill (Runtime *rt, LaunchRecord *c, const Op *op, RtName *source,
                  int line) {
  RtName *kept = c->kept, *from = c->source;
  c->name = op->name;
  c->kept = name_retain(op->code != NULL ? op->code->name : NULL);
  c->source = name_retain(source);
  c->line = line;
  name_drop(rt, kept);
  name_drop(rt, from);
}

/* Returns the launch record of an operation's place: a known one, or the
** oldest, refilled. */
static int find (RtStream *s, const Op *op, RtName *source, int line) {
  int oldest = 0;
  for (int i = 0; i < LAUNCH_RECORDS; i++) {
    if (is_at(&s->launches[i], op, source, line))
      return i;
    if (s->launches[i].seq < s->launches[oldest].seq)
      oldest = i;
  }
  fill(s->dev->rt, &s->launches[oldest], op, source, line);
  return oldest;
}

void fault_record (RtStream *s, const Op *op) {
  const Runtime *rt = s->dev->rt;
  int line = fault_needs_line(op) ? rt->line : 0, at = s->next_launch;
  RtName *source = (line > 0) ? rt->source : NULL;
  if (!is_at(&s->launches[at], op, source, line))
    at = find(s, op, source, line);
  LaunchRecord *c = &s->launches[at];
  c->seq = s->seq;
  c->kind = op->kind;
  c->foreign = op->foreign;
  s->next_launch = (at + 1) % LAUNCH_RECORDS;
}

/* Stops at the first empty record, because records are filled in order. */
void fault_forget (RtStream *s) {
  Runtime *rt = s->dev->rt;
  for (int i = 0; i < LAUNCH_RECORDS && s->launches[i].seq != 0; i++) {
    LaunchRecord *c = &s->launches[i];
    name_drop(rt, c->kept);
    name_drop(rt, c->source);
    memset(c, 0, sizeof *c);
  }
  s->next_launch = 0;
}

/* ==} */

/* {== suspects ======================================================== */

typedef struct Suspect {
  const RtStream *s;
  const LaunchRecord *c;
} Suspect;

static const unsigned char ranks[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) SUSPECT_##suspect,
#include "op_kinds.def"
#undef OP
};

/* Ranks kernels that tide did not write first; a copy is checked by tide. */
static int rank (const LaunchRecord *c) {
  return c->foreign ? 0 : ranks[c->kind];
}

/* Puts the older of two equally likely suspects first, because the work of a
** stream runs in order, and nothing runs after the culprit. */
static bool before (const Suspect *a, const Suspect *b) {
  int x = rank(a->c), y = rank(b->c);
  return x < y || (x == y && a->c->seq < b->c->seq);
}

static int insert (Suspect list[SUSPECTS], int n, Suspect new) {
  int at = n;
  while (at > 0 && before(&new, &list[at - 1]))
    at--;
  if (at == SUSPECTS)
    return n;
  n = (n < SUSPECTS) ? n + 1 : n;
  memmove(&list[at + 1], &list[at], (size_t)(n - 1 - at) * sizeof *list);
  list[at] = new;
  return n;
}

static int collect (const RtDevice *dev, Suspect list[SUSPECTS]) {
  const Runtime *rt = dev->rt;
  int n = 0;
  for (int i = 0; i < rt->nstreams; i++) {
    const RtStream *s = rt->streams[i];
    for (int k = 0; s->dev == dev && k < LAUNCH_RECORDS; k++)
      if (s->launches[k].seq > s->done)
        n = insert(list, n, (Suspect){s, &s->launches[k]});
  }
  return n;
}

/* Returns the place of a stream among those of the Runtime, from 1. */
static int number_of (const RtStream *s) {
  int i = 0;
  while (s->dev->rt->streams[i] != s)
    i++;
  return i + 1;
}

void fault_stream_name (const RtStream *s, char text[STREAM_NAME]) {
  if (s->kind == STREAM_NULL || s->kind == STREAM_PTDS)
    snprintf(text, STREAM_NAME, "%s", s->kind == STREAM_NULL ? "null" : "ptds");
  else if (s->dev->rt->caps.no_addresses)
    snprintf(text, STREAM_NAME, "#%d", number_of(s));
  else
    snprintf(text, STREAM_NAME, "%p", (void *)s->handle);
}

/* Lists the suspects; a line that does not fit ends the list. */
static void write_suspects (RtDevice *dev) {
  Suspect list[SUSPECTS];
  char stream[STREAM_NAME], *to = dev->fault.suspects;
  size_t room = sizeof dev->fault.suspects;
  int n = collect(dev, list);
  *to = '\0';
  for (int i = 0; i < n; i++) {
    const LaunchRecord *c = list[i].c;
    fault_stream_name(list[i].s, stream);
    int len = (c->source != NULL)
                ? snprintf(to, room, "\n  %s on stream %s, %s:%d", c->name,
                           stream, c->source->text, c->line)
                : snprintf(to, room, "\n  %s on stream %s", c->name, stream);
    if (len < 0 || (size_t)len >= room) {
      *to = '\0';
      return;
    }
    to += len;
    room -= (size_t)len;
  }
}

/* ==} */

/* {== faults ========================================================== */

bool fault_is_fatal (Status code) {
  switch (code) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_UNKNOWN: return true;
    default: return false;
  }
}

Status fault_query (RtDevice *dev) {
  if (dev->fault.code != 0)
    return dev->fault.code;
  if (dev->mem == NULL || context_reenter(dev) != 0)
    return 0;
  Status st = dev->D->cuStreamQuery(dev->mem->handle);
  return fault_is_fatal(st) ? st : 0;
}

Status fault_check (RtDevice *dev) {
  Status st = context_enter(dev);
  if (st == 0 && (st = fault_query(dev)) != 0)
    status_fail(dev->rt, st, "cuStreamQuery");
  return st;
}

static void note (RtDevice *dev, Status code, const char *call) {
  dev->fault.code = code;
  dev->fault.call = (call != NULL) ? call : "tide";
  if (dev->D->why != NULL)
    dev->D->why(dev->ctx, dev->fault.why);
  write_suspects(dev);
}

RtDevice *fault_lost_device (Runtime *rt, Status st) {
  if (rt->faulty != NULL || !fault_is_fatal(st) || rt->detail[0] != '\0')
    return rt->faulty; /* known, or explained already */
  RtDevice *known = NULL;
  for (int i = 0; i < rt->ndevices; i++) {
    RtDevice *dev = &rt->devices[i];
    if (dev->fault.code == st)
      known = dev;
    if (dev->fault.code != 0 || fault_query(dev) == 0)
      continue;
    note(dev, st, rt->call);
    return dev;
  }
  return known;
}

Status fault_repeat (RtDevice *dev) {
  status_fail(dev->rt, dev->fault.code, dev->fault.call);
  dev->rt->faulty = dev;
  return dev->fault.code;
}

/* ==} */
