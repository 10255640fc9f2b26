/*
** pty.c - runs a program at a terminal of its own, types the lines of a script,
** and prints all that the program wrote: pty SCRIPT PROGRAM [ARG...].
**
** A line of the script is "> text", which is typed, "< text", which must come
** before what follows is typed, or "= ms", a pause, for what cannot be seen: it
** lasts until the program waits, if it does within a second more. \n \t \\ and
** \xHH are what they are in C. At the end of the script the program has to end
** by itself. The exit status is the program's; 99: something did not come in
** time.
*/
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 20, LINE = 1024, SECONDS = 40, LATE = 99 };

static char seen[ROOM];  /* all that was written, and a zero */
static size_t nseen, at; /* how much; from here on comes what is next */

static void fail (const char *what, const char *of) {
  fwrite(seen, 1, nseen, stdout);
  printf("\npty: %s: %s\n", what, of);
  exit(LATE);
}

/* The text of a line of the script, in its place; its length. */
static size_t unescape (char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0'; from++) {
    char c = *from;
    if (c == '\\') {
      c = *++from;
      if (c == 'x') {
        char digits[3] = {from[1], from[2], '\0'};
        c = (char)strtol(digits, NULL, 16);
        from += 2;
      } else
        c = (c == 'n') ? '\n' : (c == 't') ? '\t' : c;
    }
    *to++ = c;
  }
  *to = '\0';
  return (size_t)(to - text);
}

/* Reads what there is; false: the program has closed its terminal. */
static int take (int pty, int ms) {
  struct pollfd p = {pty, POLLIN, 0};
  if (poll(&p, 1, ms) <= 0)
    return 1;
  ssize_t n = read(pty, seen + nseen, ROOM - 1 - nseen);
  if (n <= 0)
    return 0;
  nseen += (size_t)n;
  seen[nseen] = '\0';
  return 1;
}

static void await (int pty, const char *text) {
  time_t start = time(NULL);
  for (;;) {
    char *found = memmem(seen + at, nseen - at, text, strlen(text));
    if (found != NULL) {
      at = (size_t)(found - seen) + strlen(text);
      return;
    }
    if (time(NULL) - start > SECONDS || !take(pty, 100))
      fail("this did not come", text);
  }
}

static void start (const char *name, char **words) {
  struct winsize size = {24, 80, 0, 0};
  setsid();
  int tty = open(name, O_RDWR); /* which is the controlling one by that */
  if (tty < 0)
    _exit(LATE);
  ioctl(tty, TIOCSWINSZ, &size);
  for (int fd = 0; fd <= 2; fd++)
    dup2(tty, fd);
  if (tty > 2)
    close(tty);
  execvp(words[0], words);
  _exit(LATE);
}

/* Does its main thread wait for something? */
static int sleeps (pid_t pid) {
  char name[64], state = '?';
  snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
  FILE *f = fopen(name, "r");
  if (f == NULL)
    return 1;
  int n = fscanf(f, "%*d (%*[^)]) %c", &state);
  fclose(f);
  return n != 1 || state == 'S';
}

static void rest (pid_t pid, int ms) {
  poll(NULL, 0, ms);
  for (int i = 0; i < 100 && !sleeps(pid); i++)
    poll(NULL, 0, 10);
}

static void follow (int pty, pid_t pid, FILE *script) {
  char line[LINE];
  while (fgets(line, sizeof line, script) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *text = line + 2;
    if (line[0] == '\0')
      continue;
    size_t n = unescape(text);
    if (line[0] == '<')
      await(pty, text);
    else if (line[0] == '=')
      rest(pid, atoi(text));
    else if (write(pty, text, n) != (ssize_t)n)
      fail("this could not be typed", text);
  }
}

static int finish (int pty, pid_t pid) {
  time_t begin = time(NULL);
  int status;
  while (take(pty, 100) && time(NULL) - begin <= SECONDS) {
  }
  if (time(NULL) - begin > SECONDS) {
    kill(pid, SIGKILL);
    fail("the program did not end", "");
  }
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main (int argc, char **argv) {
  FILE *script = (argc > 2) ? fopen(argv[1], "r") : NULL;
  int pty = posix_openpt(O_RDWR | O_NOCTTY);
  if (script == NULL || pty < 0 || grantpt(pty) != 0 || unlockpt(pty) != 0) {
    perror("pty SCRIPT PROGRAM [ARG...]");
    return LATE;
  }
  fcntl(pty, F_SETFD, FD_CLOEXEC);
  const char *name = ptsname(pty);
  pid_t pid = fork();
  if (pid == 0)
    start(name, argv + 2);
  follow(pty, pid, script);
  int status = finish(pty, pid);
  fwrite(seen, 1, nseen, stdout);
  return status;
}
