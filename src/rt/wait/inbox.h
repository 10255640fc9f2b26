/* inbox.h - where other threads wake a Runtime's owner. See inbox.c. */
#ifndef TIDE_RT_WAIT_INBOX_H
#define TIDE_RT_WAIT_INBOX_H

#include "rt/rt.h"

Status inbox_open (struct Inbox **out);
void inbox_close (struct Inbox *in);

/* Posts a wakeup: a wait may be over, so the owner asks. It lasts until
** inbox_take_wakeup. Any thread may call inbox_post_wakeup. */
void inbox_post_wakeup (struct Inbox *in);
bool inbox_has_wakeup (const struct Inbox *in);
void inbox_take_wakeup (struct Inbox *in);

/* Returns a descriptor, for event loops, that is readable while there is a
** wakeup. */
Status inbox_fd (Runtime *rt, int *fd);

/* Makes the descriptor unreadable again, if it is so without a wakeup, because
** another thread has written to it. */
void inbox_clear_fd (struct Inbox *in);

/* Sleeps until inbox_end_sleep is called, at most 'ns' nanoseconds. One wake
** ends one sleep. */
void inbox_sleep (struct Inbox *in, int64_t ns);
void inbox_end_sleep (void *in);

#endif
