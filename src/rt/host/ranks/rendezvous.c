/*
** rendezvous.c - how ranks of one id find each other, and get their segment.
**
** DESIGN. Rank 0 listens at an abstract socket whose name is made of the user
** and the id. The name goes with the last descriptor, so nothing is left over.
**   1. Another rank connects, again and again until it can, and says Hello.
**   2. Rank 0 checks it, and gives it the segment, or the reason for a refusal.
**   3. When all are there rank 0 closes its socket and tells each rank.
** Nothing is sent after that: their sockets tell of deaths. Both sides check
** that the other belongs to the same user.
*/
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ranks.h"

enum { VERSION = 0x74690001, PAUSE_MS = 10, BACKLOG = 256 };

typedef struct Hello {
  uint32_t version;
  int rank, size, ordinal;
  ncclUniqueId id;
} Hello;

typedef struct Reply {
  ncclResult_t result;
  char why[NCCL_WHY];
} Reply;

/* {== sockets ========================================================= */

static uint64_t hash (const char *text, uint64_t h) {
  for (int i = 0; i < NCCL_ID_BYTES && text[i] != '\0'; i++)
    h = (h ^ (unsigned char)text[i]) * 1099511628211u;
  return h;
}

static socklen_t make_name (ncclComm_t c, struct sockaddr_un *name) {
  const char *id = c->id.internal;
  memset(name, 0, sizeof *name);
  name->sun_family = AF_UNIX;
  int n = snprintf(name->sun_path + 1, sizeof name->sun_path - 1,
                   "tide-ranks-%u-%016llx%016llx", (unsigned)geteuid(),
                   (unsigned long long)hash(id, 14695981039346656037u),
                   (unsigned long long)hash(id, 1));
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static int make_socket (void) {
  return rank_keep_fd(socket(AF_UNIX,
                             SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/* Returns the other's process; -1: another user's. */
static long peer_of (int fd) {
  struct ucred who;
  socklen_t n = sizeof who;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0 ||
      who.uid != geteuid())
    return -1;
  return (long)who.pid;
}

/* Waits until something comes, or the time is over. False: the rank shall
** end. */
static bool pause_for (ncclComm_t c, int fd, int ms) {
  struct pollfd p[2] = {{c->wake, POLLIN, 0}, {fd, POLLIN, 0}};
  uint64_t times;
  if (poll(p, 2, ms) > 0 && p[0].revents != 0 &&
      read(c->wake, &times, sizeof times) < 0)
    return false;
  return !rank_is_ending(c);
}

static bool fail_system (ncclComm_t c, const char *what) {
  rank_fail(c, ncclSystemError, "%s: %s", what, strerror(errno));
  return false;
}

static bool has_room (ncclComm_t c, int n) {
  c->ends = malloc((size_t)n * sizeof *c->ends);
  if (c->ends == NULL)
    return fail_system(c, "malloc");
  c->nends = n;
  for (int i = 0; i < n; i++)
    c->ends[i] = (struct pollfd){-1, POLLIN, 0};
  c->ends[0].fd = c->wake;
  return true;
}

static bool map (ncclComm_t c, int fd) {
  Mapping *m = rank_map_segment(fd, c->size);
  if (m == NULL)
    return fail_system(c, "mmap");
  host_lock();
  c->map = m;
  host_unlock();
  return true;
}

static Hello hello_of (ncclComm_t c) {
  return (Hello){VERSION, c->rank, c->size, c->ctx->ordinal, c->id};
}

/* ==} */

/* {== other ranks ===================================================== */

/* Reads a reply, and the descriptor that comes with it; false: it is
** invalid. */
static bool receive (int fd, Reply *reply, int *segment) {
  char room[CMSG_SPACE(sizeof(int))];
  struct iovec part = {reply, sizeof *reply};
  struct msghdr m = {.msg_iov = &part,
                     .msg_iovlen = 1,
                     .msg_control = room,
                     .msg_controllen = sizeof room};
  errno = 0;
  ssize_t n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
  struct cmsghdr *with = (n >= 0) ? CMSG_FIRSTHDR(&m) : NULL;
  *segment = -1;
  if (n >= 0 && (m.msg_flags & MSG_CTRUNC) != 0)
    errno = EMFILE;
  if (with != NULL && with->cmsg_type == SCM_RIGHTS) {
    memcpy(segment, CMSG_DATA(with), sizeof *segment);
    rank_keep_fd(*segment);
  }
  reply->why[NCCL_WHY - 1] = '\0';
  return n == (ssize_t)sizeof *reply;
}

/* Tells whether it is an error that will not pass with time. */
static bool is_short (int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* Returns a connection to rank 0, which has got our Hello; -1: not now, or
** errno tells why it will never work. */
static int call (ncclComm_t c) {
  struct sockaddr_un name;
  socklen_t n = make_name(c, &name);
  Hello hello = hello_of(c);
  errno = 0;
  int fd = make_socket();
  if (fd >= 0 && connect(fd, (struct sockaddr *)&name, n) == 0 &&
      peer_of(fd) >= 0 &&
      send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello)
    return fd;
  int error = errno;
  rank_close_fd(fd);
  errno = error;
  return -1;
}

/* Reads the answer of rank 0 to a call. False: there is none, or we shall
** end. */
static bool is_answered (ncclComm_t c, int fd, Reply *reply, int *segment) {
  return pause_for(c, fd, -1) && receive(fd, reply, segment);
}

static void count_apart (ncclComm_t c) {
  Member *me = &c->map->segment->member[c->rank];
  __atomic_store_n(&me->apart, me->pid != (uint32_t)getpid(), __ATOMIC_RELEASE);
}

/* Rank 0 has let us in: waits until it says that all are there. */
static bool wait_for_all (ncclComm_t c, int fd) {
  Reply reply;
  int none;
  c->ends[1].fd = fd;
  count_apart(c);
  while (pause_for(c, fd, -1)) {
    bool there = receive(fd, &reply, &none);
    rank_close_fd(none);
    if (there && reply.result != ncclSuccess)
      rank_fail(c, reply.result, "%s", reply.why);
    if (there)
      return reply.result == ncclSuccess;
    if (errno == EAGAIN)
      continue;
    if (rank_read32(&c->map->segment->failed) == 0)
      rank_fail_gone(c, 0);
    return false;
  }
  return false;
}

static bool join (ncclComm_t c) {
  Reply reply;
  int segment, fd;
  while (!rank_is_ending(c)) {
    fd = call(c);
    if (fd < 0 && is_short(errno))
      return fail_system(c, "socket");
    if (fd >= 0 && is_answered(c, fd, &reply, &segment)) {
      bool let = (reply.result == ncclSuccess);
      if (let && segment < 0)
        fail_system(c, "recvmsg");
      bool mapped = segment >= 0 && map(c, segment);
      rank_close_fd(segment);
      if (mapped)
        return wait_for_all(c, fd);
      if (!let)
        rank_fail(c, reply.result, "%s", reply.why);
      rank_close_fd(fd);
      return false;
    }
    rank_close_fd(fd);
    pause_for(c, -1, PAUSE_MS);
  }
  return false;
}

/* ==} */

/* {== rank 0 ========================================================== */

/* For rank 0, while others come: the socket and strangers stand behind the
** ranks' ends. */
typedef struct RankListener {
  ncclComm_t c;
  int segment;
  struct pollfd *socket, *strangers;
} RankListener;

static void answer (int fd, ncclResult_t result, const char *why, int segment) {
  _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof segment)] = {0};
  Reply reply = {result, ""};
  struct iovec part = {&reply, sizeof reply};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
  snprintf(reply.why, sizeof reply.why, "%s", why);
  if (segment >= 0) {
    m.msg_control = room;
    m.msg_controllen = sizeof room;
    *CMSG_FIRSTHDR(&m) = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof segment),
                                          .cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &segment, sizeof segment);
  }
  sendmsg(fd, &m, MSG_NOSIGNAL);
}

/* Another rank on the same device; -1: there is none. */
static int find_neighbour (ncclComm_t c, const Hello *h, uint32_t pid) {
  for (int i = 0; i < c->size; i++) {
    const Member *m = &c->map->segment->member[i];
    if (i != h->rank && m->presence == HERE && m->pid == pid && pid != 0 &&
        m->ordinal == h->ordinal)
      return i;
  }
  return -1;
}

/* Returns why it cannot be one of us; ncclSuccess: it can. */
static ncclResult_t judge (ncclComm_t c, const Hello *h, uint32_t pid,
                           char why[NCCL_WHY]) {
  why[0] = '\0';
  if (h->size != c->size) {
    snprintf(why, NCCL_WHY,
             "ranks do not agree on how many there are: rank 0: %d; rank %d: "
             "%d",
             c->size, h->rank, h->size);
    return ncclInvalidArgument;
  }
  if (h->rank < 0 || h->rank >= c->size ||
      c->map->segment->member[h->rank].presence == HERE) {
    snprintf(why, NCCL_WHY, "there are two of rank %d", h->rank);
    return ncclInvalidArgument;
  }
  int other = find_neighbour(c, h, pid);
  if (other < 0)
    return ncclSuccess;
  snprintf(why, NCCL_WHY,
           "ranks %d and %d are on the same device, %d of process %u",
           other < h->rank ? other : h->rank, other < h->rank ? h->rank : other,
           h->ordinal, pid);
  return ncclInvalidUsage;
}

static void note (Member *m, uint32_t pid, int ordinal) {
  m->pid = pid;
  m->ordinal = ordinal;
  __atomic_store_n(&m->presence, HERE, __ATOMIC_RELEASE);
}

/* A stranger has said who it is. False: the communicator fails. */
static bool let_in (RankListener *d, struct pollfd *p, const Hello *h) {
  char why[NCCL_WHY];
  ncclComm_t c = d->c;
  uint32_t pid = (uint32_t)peer_of(p->fd);
  ncclResult_t r = judge(c, h, pid, why);
  if (r != ncclSuccess) {
    answer(p->fd, r, why, -1);
    rank_fail(c, r, "%s", why);
    return false;
  }
  note(&c->map->segment->member[h->rank], pid, h->ordinal);
  answer(p->fd, r, why, d->segment);
  c->ends[h->rank].fd = p->fd;
  p->fd = -1;
  return true;
}

static bool hear (RankListener *d, struct pollfd *p) {
  Hello h;
  ssize_t n = recv(p->fd, &h, sizeof h, 0);
  if (n == (ssize_t)sizeof h && h.version == VERSION &&
      memcmp(&h.id, &d->c->id, sizeof h.id) == 0)
    return let_in(d, p, &h);
  rank_close_fd(p->fd);
  p->fd = -1;
  return true;
}

/* Strangers for whom there is no place come again. False: it fails. */
static bool take_stranger (RankListener *d) {
  int fd = rank_keep_fd(accept4(d->socket->fd, NULL, NULL,
                                SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (fd < 0 && is_short(errno))
    return fail_system(d->c, "accept");
  for (int i = 0; fd >= 0 && peer_of(fd) >= 0 && i < STRANGERS; i++) {
    if (d->strangers[i].fd < 0) {
      d->strangers[i].fd = fd;
      return true;
    }
  }
  rank_close_fd(fd);
  return true;
}

/* A rank that goes before all are there may come again. */
static void forget (RankListener *d, int rank) {
  rank_close_fd(d->c->ends[rank].fd);
  d->c->ends[rank].fd = -1;
  __atomic_store_n(&d->c->map->segment->member[rank].presence, ABSENT,
                   __ATOMIC_RELEASE);
}

static bool turn (RankListener *d) {
  ncclComm_t c = d->c;
  uint64_t times;
  if (rank_poll_open(c->ends, c->nends, -1) < 0 && errno != EINTR)
    return fail_system(c, "poll");
  if (c->ends[0].revents != 0 && read(c->wake, &times, sizeof times) < 0)
    return false;
  for (int i = 1; i < c->size; i++)
    if (c->ends[i].fd >= 0 && c->ends[i].revents != 0)
      forget(d, i);
  for (int i = 0; i < STRANGERS; i++)
    if (d->strangers[i].fd >= 0 && d->strangers[i].revents != 0 &&
        !hear(d, &d->strangers[i]))
      return false;
  if (d->socket->revents != 0 && !take_stranger(d))
    return false;
  for (int i = 0; i < c->nends; i++)
    c->ends[i].revents = 0;
  return !rank_is_ending(c);
}

static bool all_here (ncclComm_t c) {
  for (int i = 0; i < c->size; i++)
    if (c->map->segment->member[i].presence != HERE)
      return false;
  return true;
}

/* Asks the other rank 0 of this id. If it answers, there are two, and we fail.
** Or its ranks are all there, and its socket goes soon. False: we fail. */
static bool ask_other (ncclComm_t c) {
  Reply reply;
  int segment = -1, fd = call(c);
  bool there = fd >= 0 && is_answered(c, fd, &reply, &segment);
  rank_close_fd(segment);
  rank_close_fd(fd);
  if (there && reply.result != ncclSuccess)
    rank_fail(c, reply.result, "%s", reply.why);
  return !(there && reply.result != ncclSuccess) && pause_for(c, -1, PAUSE_MS);
}

static bool listen_at (ncclComm_t c, struct pollfd *at) {
  struct sockaddr_un name;
  socklen_t n = make_name(c, &name);
  at->fd = make_socket();
  if (at->fd < 0)
    return fail_system(c, "socket");
  while (bind(at->fd, (struct sockaddr *)&name, n) != 0) {
    if (errno != EADDRINUSE)
      return fail_system(c, "bind");
    if (!ask_other(c))
      return false;
  }
  return listen(at->fd, BACKLOG) == 0 || fail_system(c, "listen");
}

static void close_listener (RankListener *d) {
  for (int i = d->c->size; i < d->c->nends; i++)
    rank_close_fd(d->c->ends[i].fd);
  rank_close_fd(d->segment);
  d->c->nends = d->c->size;
}

static bool receive_all (RankListener *d) {
  ncclComm_t c = d->c;
  if (c->size > 1 && !listen_at(c, d->socket))
    return false;
  d->segment = rank_make_segment(c->size);
  if (d->segment < 0)
    return fail_system(c, "memfd_create");
  if (!map(c, d->segment))
    return false;
  note(&c->map->segment->member[0], (uint32_t)getpid(), c->ctx->ordinal);
  while (!all_here(c))
    if (!turn(d))
      return false;
  return true;
}

/* We give up, and tell the ranks that are in for whom we have waited. */
static void send_away (ncclComm_t c) {
  char why[NCCL_WHY] = "";
  rank_list_absent(c, why);
  for (int i = 1; i < c->size && c->map != NULL; i++)
    if (c->ends[i].fd >= 0)
      answer(c->ends[i].fd, ncclRemoteError,
             why[0] != '\0' ? why : "rank 0 has gone", -1);
}

static bool gather (ncclComm_t c) {
  if (!has_room(c, c->size + 1 + STRANGERS))
    return false;
  RankListener d = {c, -1, &c->ends[c->size], &c->ends[c->size + 1]};
  bool ok = receive_all(&d);
  close_listener(&d);
  if (!ok)
    send_away(c);
  for (int i = 1; ok && i < c->size; i++)
    answer(c->ends[i].fd, ncclSuccess, "", -1);
  return ok;
}

/* ==} */

bool rank_meet (ncclComm_t c) {
  if (c->rank == 0)
    return gather(c);
  return has_room(c, 2) && join(c);
}
