/* message_form.h - the form of messages: after its Header each value has a tag,
** followed by the data that is listed here. */
#ifndef TIDE_IPC_MESSAGE_FORM_H
#define TIDE_IPC_MESSAGE_FORM_H

#include "rt/memory/shareable.h"
#include "rt/wait/timeline.h"

enum { DTYPE_NAME = 16 };

typedef enum Tag {
  TAG_NIL,
  TAG_FALSE,
  TAG_TRUE,
  TAG_INTEGER, /* lua_Integer */
  TAG_FLOAT,   /* lua_Number */
  TAG_STRING,  /* uint32_t, then as many bytes */
  TAG_ARRAY,   /* View */
  TAG_EVENT    /* Named */
} Tag;

typedef struct MessageHeader {
  char magic[8];
  uint32_t n; /* values; NO_MORE: it is the last message */
} MessageHeader;

#define IPC_MAGIC "tideipc" /* with its zero 8 bytes */
#define NO_MORE UINT32_MAX

/* Names an interprocess event, and the place of its file in the message. */
typedef struct Named {
  uint8_t id[TIMELINE_ID];
  uint8_t device[DEVICE_ID];
  int file;
} Named;

/* Describes an array; shape and strides follow. */
typedef struct View {
  uint8_t memory[SHAREABLE_ID];
  uint64_t bytes; /* of the memory; 0: no elements, and no memory */
  uint64_t off;   /* of the first element in it, in bytes */
  int file;
  Named ready; /* the recording after which it is ready: */
  uint64_t at;
  char dtype[DTYPE_NAME];
  uint8_t ndim;
  uint8_t repeats, readonly; /* 0 or 1, if tide has sent it */
} View;

#endif
