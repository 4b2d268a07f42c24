/*
 * Makes syncs of this process fail as on a failing disk. With seccomp user notifications, the kernel reports each write and
 * sync of any thread before it runs. A failed sync loses the writes since the last one, and the next sync succeeds.
 * Alternatively, another process handles all syncs: see `power.ts`.
 * Written for Bun's C compiler, without headers.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

void *malloc(unsigned long);
void free(void *);
void *memset(void *, int, unsigned long);
int ioctl(int, unsigned long, ...);
int prctl(int, ...);
long syscall(long, ...);
int ftruncate(int, i64);
int snprintf(char *, unsigned long, const char *, ...);
long readlink(const char *, char *, unsigned long);
char *strstr(const char *, const char *);
unsigned long strlen(const char *);
int strcmp(const char *, const char *);
long write(int, const void *, unsigned long);
long read(int, void *, unsigned long);
int socket(int, int, int);
int connect(int, const void *, unsigned int);
int fcntl(int, int, ...);
int getpid(void);
char *strncpy(char *, const char *, unsigned long);
i64 lseek(int, i64, int);
i64 pread(int, void *, unsigned long, i64);
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);

struct filter { u16 code; u8 yes, no; u32 value; };
struct program { u16 length; struct filter *filter; };
struct call { int number; u32 architecture; u64 at; u64 args[6]; };
struct question { u64 id; u32 pid; u32 flags; struct call call; };
struct answer { u64 id; i64 value; int error; u32 flags; };

/** The content that a write replaced, to be restored. */
struct covered { struct covered *before; u64 file; int fd; i64 offset; i64 length; i64 size; u8 *bytes; };

enum { EIO = 5, MARK = 0x5eed };

struct address { u16 family; char path[108]; };

static int listener, pwriteNumber, socketFd = -1;
static struct covered *latest;
static volatile int seen, first, last;
static char name[64];

static void pathOf(int fd, char *path, int size) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = readlink(link, path, size - 1);
  path[length < 0 ? 0 : length] = 0;
}

static int endsWith(const char *path, const char *end) {
  unsigned long whole = strlen(path), part = strlen(end);
  return whole >= part && strcmp(path + whole - part, end) == 0;
}

/** Returns an id of the file, which may be written and synced through different descriptors. */
static u64 fileOf(int fd) {
  char path[4096];
  u64 hash = 14695981039346656037ULL;
  pathOf(fd, path, sizeof path);
  for (char *at = path; *at; at++) hash = (hash ^ (u8)*at) * 1099511628211ULL;
  return hash;
}

static void noteWrite(int fd, i64 length, i64 offset) {
  i64 size = lseek(fd, 0, 2);
  if (size < 0) return;
  struct covered *one = malloc(sizeof *one);
  one->before = latest;
  one->fd = fd;
  one->file = fileOf(fd);
  one->offset = offset;
  one->size = size;
  one->bytes = malloc(length + 1);
  one->length = pread(fd, one->bytes, length, offset);
  latest = one;
}

/** Forgets the writes to a file, or undoes them if they are lost. */
static void settle(int fd, int isLost) {
  u64 file = fileOf(fd);
  struct covered **at = &latest;
  while (*at) {
    struct covered *one = *at;
    if (one->file != file) {
      at = &one->before;
      continue;
    }
    if (isLost) {
      /* The sixth argument marks this write for the filter as our own. */
      if (one->length > 0) syscall(pwriteNumber, one->fd, one->bytes, one->length, one->offset, 0, MARK);
      ftruncate(one->fd, one->size);
    }
    *at = one->before;
    free(one->bytes);
    free(one);
  }
}

/** Sends a sync, its path and access mode to the other process and waits for the reply. */
static void forwardSync(int fd) {
  char path[4096], text[4200], nod;
  pathOf(fd, path, sizeof path);
  write(socketFd, text, snprintf(text, sizeof text, "%s %s\n", (fcntl(fd, 3) & 3) == 0 ? "r" : "w", path));
  read(socketFd, &nod, 1);
}

static void *judge(void *nothing) {
  for (;;) {
    struct question question;
    struct answer answer;
    memset(&question, 0, sizeof question);
    memset(&answer, 0, sizeof answer);
    if (ioctl(listener, 0xc0502100UL, &question) < 0) continue;
    int fd = question.call.args[0];
    answer.id = question.id;
    answer.flags = 1;
    if (socketFd >= 0) {
      forwardSync(fd);
      /* Report success without syncing the real disk. */
      answer.flags = 0;
    } else if (question.call.number == pwriteNumber) {
      noteWrite(fd, question.call.args[2], question.call.args[3]);
    } else {
      int number = ++seen;
      char path[4096], text[4200];
      pathOf(fd, path, sizeof path);
      int fails = *name ? endsWith(path, name) : number >= first && number <= last;
      settle(fd, fails);
      if (fails) {
        /* Uploads are only appended and synced once. */
        if (strstr(path, "/files/")) ftruncate(fd, 0);
        write(2, text, snprintf(text, sizeof text, "fault: sync %d, of %s\n", number, path));
        answer.flags = 0;
        answer.error = -EIO;
      }
    }
    ioctl(listener, 0xc0182101UL, &answer);
  }
}

int failFrom(int number, int count) {
  first = number;
  last = number + count - 1;
  return 0;
}

/** Makes each sync of a file whose path ends with this text fail. */
int failOf(const char *part) { return snprintf(name, sizeof name, "%s", part); }

int failNext(int count) { return failFrom(seen + 1, count); }

/** Forwards every sync to the process that listens on this socket. Must be called before `install`. */
int forwardTo(const char *path) {
  struct address address;
  memset(&address, 0, sizeof address);
  address.family = 1;
  strncpy(address.path, path, sizeof address.path - 1);
  socketFd = socket(1, 1, 0);
  if (connect(socketFd, &address, sizeof address)) return 1;
  char text[32];
  return write(socketFd, text, snprintf(text, sizeof text, "pid %d\n", getpid())) < 0;
}

/** Installs the filter for these system call numbers, -1 to ignore a call. Returns 0, or an error if the kernel forbids it. */
int install(int seccompNumber, int pwrite64, int fsync, int fdatasync) {
  struct filter filter[] = {
    {0x20, 0, 0, 0},           /* the number of the call */
    {0x15, 3, 0, fsync},
    {0x15, 2, 0, fdatasync},
    {0x15, 0, 3, pwrite64},
    {0x20, 0, 0, 56},          /* its sixth argument */
    {0x15, 1, 0, MARK},
    {0x06, 0, 0, 0x7fc00000u}, /* ask */
    {0x06, 0, 0, 0x7fff0000u}, /* allow */
  };
  struct program program;
  unsigned long thread;
  program.length = sizeof filter / sizeof *filter;
  program.filter = filter;
  pwriteNumber = pwrite64;
  if (prctl(38, 1, 0, 0, 0)) return 1;
  /* For all current and future threads, with a listener. */
  listener = syscall(seccompNumber, 1L, 25L, &program);
  if (listener < 0) return 2;
  return pthread_create(&thread, 0, judge, 0);
}
