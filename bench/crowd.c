/* A crowd of clients for bench/serve.py, in a process of its own. It does as little for each message as can be: on a
 * small machine it shares the processors with the server that is measured.
 *
 * It knows nothing of what it sends. A plan says for each connection what to send at first, then what to ask, in two
 * parts with a number between them, and which bytes mark an answer.
 *
 *   crowd ask PLAN      Each connection keeps so many questions on their way, and asks the next as soon as one is
 *                       answered; or, where the plan has a rate, all of them together ask so many a second, come what
 *                       may. What came of it is printed as JSON.
 *   crowd watch PLAN    Asks nothing and reads whatever comes, until standard input is closed; the last so many
 *                       connections never read. It prints "ready" when all of them were greeted.
 *
 * The plan is a file that bench/plan.py writes: numbers of eight bytes, and texts with their length before them.
 *
 * Whatever goes wrong ends the program with a message. Memory is not given back, for the process ends with its work. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    CHUNK = 1 << 18,  /* bytes that are read at once */
    SMALL = 4096,     /* bytes that wait for a connection which never reads */
    PATIENCE = 20,    /* seconds for the last answers, and for a server that takes or says nothing */
    EVENTS = 256,     /* connections that are heard of at once */
    PAUSE = 100,      /* milliseconds after which the clock is read, though nothing came */
    SHOWN_BEFORE = 200, SHOWN_AFTER = 500, /* bytes around a wrong answer that the message has */
};

typedef unsigned char byte;

static _Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static _Noreturn void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("crowd: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

static void *room(void *old, size_t count, size_t size) {
    void *found = reallocarray(old, count ? count : 1, size);
    if (found == NULL)
        fail("no memory for %zu times %zu bytes", count, size);
    return found;
}

static double seconds_of(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time))
        fail("the clock cannot be read: %s", strerror(errno));
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

static double processor(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* ------------------------------------------------ the plan */

typedef struct {
    const byte *at;
    size_t size;
} text;

typedef struct {
    text hello, before, after;
} connection;

typedef struct {
    char *host;
    uint16_t port;
    double rate, warms, seconds;
    size_t window, silent;
    uint64_t first; /* the number of the first question */
    size_t digits;  /* of every number */
    text answer;
    size_t wrongs, count;
    text *wrong;
    connection *connections;
} plan;

static text whole_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("%s cannot be opened: %s", path, strerror(errno));
    byte *at = NULL;
    size_t size = 0, got;
    do {
        at = room(at, size + CHUNK, 1);
        got = fread(at + size, 1, CHUNK, file);
        size += got;
    } while (got);
    if (ferror(file))
        fail("%s cannot be read: %s", path, strerror(errno));
    fclose(file);
    return (text){at, size};
}

/* Each of these takes what it reads off the front. */
static text next_bytes(text *left, size_t size) {
    if (size > left->size)
        fail("the plan ends too early");
    text taken = {left->at, size};
    left->at += size;
    left->size -= size;
    return taken;
}

static uint64_t next_number(text *left) {
    uint64_t number;
    memcpy(&number, next_bytes(left, sizeof number).at, sizeof number);
    return number;
}

static double next_real(text *left) {
    double real;
    memcpy(&real, next_bytes(left, sizeof real).at, sizeof real);
    return real;
}

static text next_text(text *left) {
    size_t size = next_number(left);
    return next_bytes(left, size);
}

static plan read_plan(const char *path) {
    plan p;
    text left = whole_file(path);
    text host = next_text(&left);
    p.host = room(NULL, host.size + 1, 1);
    memcpy(p.host, host.at, host.size);
    p.host[host.size] = 0;
    p.port = (uint16_t)next_number(&left);
    p.rate = next_real(&left);
    p.warms = next_real(&left);
    p.seconds = next_real(&left);
    p.window = next_number(&left);
    p.silent = next_number(&left);
    p.first = next_number(&left);
    p.digits = next_number(&left);
    p.answer = next_text(&left);
    p.wrongs = next_number(&left);
    p.wrong = room(NULL, p.wrongs, sizeof *p.wrong);
    for (size_t i = 0; i < p.wrongs; i++)
        p.wrong[i] = next_text(&left);
    p.count = next_number(&left);
    p.connections = room(NULL, p.count, sizeof *p.connections);
    for (size_t i = 0; i < p.count; i++) {
        p.connections[i].hello = next_text(&left);
        p.connections[i].before = next_text(&left);
        p.connections[i].after = next_text(&left);
    }
    if (left.size)
        fail("the plan has %zu bytes too many", left.size);
    return p;
}

/* ------------------------------------------------ connections */

static void send_all(int fd, const byte *at, size_t size) {
    while (size) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent >= 0) {
            at += sent;
            size -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            fail("the server took nothing from a connection for %d s", PATIENCE);
        } else if (errno != EINTR) {
            fail("a connection cannot be written to: %s", strerror(errno));
        }
    }
}

/* What has come, or nothing. The end of a connection is never expected. */
static size_t received(int fd, byte *to, int how) {
    ssize_t got = recv(fd, to, CHUNK, how);
    if (got > 0)
        return (size_t)got;
    if (got == 0)
        fail("the server has closed a connection");
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        fail("a connection cannot be read: %s", strerror(errno));
    return 0;
}

/* The greeting is answered when there is an empty line; all of it is left where it is, to be read with the rest. */
static void greet(int fd, text hello, byte *into) {
    double last = now() + PATIENCE;
    send_all(fd, hello.at, hello.size);
    for (;;) {
        size_t size = received(fd, into, MSG_PEEK);
        if (memmem(into, size, "\r\n\r\n", 4) != NULL)
            return;
        if (now() > last)
            fail("a greeting was not answered for %d s", PATIENCE);
        usleep(1000);
    }
}

static void set(int fd, int level, int option, const void *value, socklen_t size) {
    if (setsockopt(fd, level, option, value, size))
        fail("an option of a connection cannot be set: %s", strerror(errno));
}

static int connected(const plan *p, size_t place, byte *into) {
    const int small = SMALL, yes = 1;
    const struct timeval patience = {.tv_sec = PATIENCE};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(p->port)};
    if (inet_pton(AF_INET, p->host, &address.sin_addr) != 1)
        fail("%s is not an address such as 127.0.0.1", p->host);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        fail("connection %zu of %zu cannot be made: %s", place + 1, p->count, strerror(errno));
    if (place + p->silent >= p->count)
        set(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (connect(fd, (struct sockaddr *)&address, sizeof address))
        fail("connection %zu of %zu cannot be made: %s", place + 1, p->count, strerror(errno));
    set(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    set(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    set(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (p->connections[place].hello.size)
        greet(fd, p->connections[place].hello, into);
    return fd;
}

/* Every connection needs a file of the process, and there may be thousands. */
static void allow_many_files(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        fail("the limit of open files cannot be read: %s", strerror(errno));
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files))
        fail("the limit of open files cannot be raised: %s", strerror(errno));
}

static int new_poll(void) {
    int poll = epoll_create1(0);
    if (poll < 0)
        fail("connections cannot be waited for: %s", strerror(errno));
    return poll;
}

static void listen_to(int poll, int fd, epoll_data_t who) {
    struct epoll_event event = {.events = EPOLLIN, .data = who};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event))
        fail("file %d cannot be waited for: %s", fd, strerror(errno));
}

static int heard(int poll, struct epoll_event events[EVENTS], int milliseconds) {
    int count = epoll_wait(poll, events, EVENTS, milliseconds);
    if (count < 0 && errno != EINTR)
        fail("connections cannot be waited for: %s", strerror(errno));
    return count < 0 ? 0 : count;
}

/* The same until a moment, to the millisecond. What is due within one is asked together, late by that much, which counts as the
 * server's time: whoever woke up for every question would take as much of the processors as the server does for its answer. */
static int heard_until(int poll, struct epoll_event events[EVENTS], double moment) {
    double left = moment - now();
    return heard(poll, events, left > 0 ? (int)(1000 * left) + 1 : 0);
}

/* ------------------------------------------------ clients that ask */

/* Moments, the oldest first, in a ring that grows when it is full. */
typedef struct {
    double *at;
    size_t first, count, room;
} moments;

static void add_moment(moments *m, double moment) {
    if (m->count == m->room) {
        size_t grown = m->room ? 2 * m->room : 16;
        double *at = room(NULL, grown, sizeof *at);
        for (size_t i = 0; i < m->count; i++)
            at[i] = m->at[(m->first + i) % m->room];
        free(m->at);
        *m = (moments){at, 0, m->count, grown};
    }
    m->at[(m->first + m->count++) % m->room] = moment;
}

static double oldest_moment(moments *m) {
    if (m->count == 0)
        fail("there are more answers than questions");
    double moment = m->at[m->first];
    m->first = (m->first + 1) % m->room;
    m->count--;
    return moment;
}

/* Of what was read last, so many bytes are kept, for what is looked for may come in two pieces. The first `counted` of
 * them belong to answers that were counted, or come before those. */
typedef struct {
    int fd;
    uint64_t number; /* of the next question */
    byte *question;
    size_t size;   /* of a question, */
    size_t digits; /* and where its number begins */
    moments asked;
    byte *kept;
    size_t keeps, counted;
} client;

typedef struct {
    const plan *plan;
    client *clients;
    int poll;
    size_t longest; /* of what is looked for */
    byte *in, *out;
    size_t out_room;
    double *took; /* seconds for each answer that counts */
    size_t answers, took_room;
} crowd;

static client new_client(const plan *p, size_t place, int fd, size_t longest) {
    text before = p->connections[place].before, after = p->connections[place].after;
    client one = {.fd = fd, .number = p->first, .size = before.size + p->digits + after.size, .digits = before.size};
    one.question = room(NULL, one.size, 1);
    memcpy(one.question, before.at, before.size);
    memcpy(one.question + before.size + p->digits, after.at, after.size);
    one.kept = room(NULL, longest, 1);
    return one;
}

static crowd gathered(const plan *p) {
    if (p->count == 0 || p->window == 0 || p->digits == 0 || p->answer.size == 0)
        fail("the plan has %zu connections, %zu questions on their way, %zu digits and an answer of %zu bytes: none may be 0",
             p->count, p->window, p->digits, p->answer.size);
    crowd all = {.plan = p, .poll = new_poll(), .longest = p->answer.size};
    for (size_t i = 0; i < p->wrongs; i++)
        if (p->wrong[i].size > all.longest)
            all.longest = p->wrong[i].size;
    all.in = room(NULL, all.longest + CHUNK, 1);
    all.clients = room(NULL, p->count, sizeof *all.clients);
    for (size_t i = 0; i < p->count; i++) {
        all.clients[i] = new_client(p, i, connected(p, i, all.in), all.longest);
        listen_to(all.poll, all.clients[i].fd, (epoll_data_t){.ptr = &all.clients[i]});
    }
    return all;
}

static void write_number(byte *to, size_t digits, uint64_t number) {
    uint64_t left = number;
    for (size_t i = digits; i-- > 0; left /= 10)
        to[i] = (byte)('0' + left % 10);
    if (left)
        fail("the number %" PRIu64 " has more than %zu digits", number, digits);
}

/* Asks so much at once; the time counts from the moment at which it was meant to be asked. */
static void ask(crowd *all, client *one, size_t count, double meant) {
    if (count > all->out_room / one->size) {
        all->out = room(all->out, count, one->size);
        all->out_room = count * one->size;
    }
    byte *to = all->out;
    for (size_t i = 0; i < count; i++, to += one->size) {
        write_number(one->question + one->digits, all->plan->digits, one->number++);
        memcpy(to, one->question, one->size);
        add_moment(&one->asked, meant);
    }
    send_all(one->fd, all->out, (size_t)(to - all->out));
}

/* Bytes that cannot be printed are shown as numbers. */
static _Noreturn void fail_with_wrong_answer(const byte *begin, const byte *wrong, const byte *end) {
    const byte *from = wrong - begin > SHOWN_BEFORE ? wrong - SHOWN_BEFORE : begin;
    const byte *to = end - wrong > SHOWN_AFTER ? wrong + SHOWN_AFTER : end;
    fputs("crowd: a wrong answer: ", stderr);
    for (; from < to; from++)
        fprintf(stderr, *from >= ' ' && *from <= '~' ? "%c" : "\\x%02x", *from);
    fputc('\n', stderr);
    exit(1);
}

static size_t min(size_t one, size_t other) {
    return one < other ? one : other;
}

/* How many answers came. */
static size_t answered(crowd *all, client *one) {
    const plan *p = all->plan;
    memcpy(all->in, one->kept, one->keeps);
    size_t got = received(one->fd, all->in + one->keeps, MSG_DONTWAIT);
    if (got == 0)
        return 0;
    const byte *begin = all->in, *end = begin + one->keeps + got;
    for (size_t i = 0; i < p->wrongs; i++) {
        const byte *wrong = memmem(begin, (size_t)(end - begin), p->wrong[i].at, p->wrong[i].size);
        if (wrong != NULL)
            fail_with_wrong_answer(begin, wrong, end);
    }
    size_t count = 0;
    const byte *from = begin + one->counted, *answer;
    while ((answer = memmem(from, (size_t)(end - from), p->answer.at, p->answer.size)) != NULL) {
        from = answer + p->answer.size;
        count++;
    }
    one->keeps = min(all->longest - 1, (size_t)(end - begin));
    const byte *kept = end - one->keeps;
    memcpy(one->kept, kept, one->keeps);
    one->counted = from > kept ? (size_t)(from - kept) : 0;
    return count;
}

static void add_seconds(crowd *all, double seconds) {
    if (all->answers == all->took_room) {
        all->took_room = all->took_room ? 2 * all->took_room : 1 << 16;
        all->took = room(all->took, all->took_room, sizeof *all->took);
    }
    all->took[all->answers++] = seconds;
}

static int by_size(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* What came of so many seconds, of which the processor spent some here: bench/plan.py reads it. */
static void tell(crowd *all, double wall, double spent) {
    size_t count = all->answers;
    if (count == 0)
        fail("nothing was answered in %g s", wall);
    qsort(all->took, count, sizeof *all->took, by_size);
    printf("{\"rate\":%.9f,\"median\":%.9f,\"p99\":%.9f,\"busy\":%.9f}", (double)count / wall, all->took[count / 2],
           all->took[count * 99 / 100], spent / wall);
}

/* As much as is answered: the next question when there is an answer. */
static void ask_on(const plan *p) {
    crowd all = gathered(p);
    for (size_t i = 0; i < p->count; i++)
        ask(&all, &all.clients[i], p->window, now());
    double starts = now() + p->warms, ends = starts + p->seconds, spent = processor(), at;
    int counts = 0;
    while ((at = now()) < ends) {
        if (!counts && at >= starts) {
            counts = 1;
            spent = processor();
            starts = at;
        }
        struct epoll_event events[EVENTS];
        int heard_of = heard(all.poll, events, PAUSE);
        for (int i = 0; i < heard_of; i++) {
            client *one = events[i].data.ptr;
            size_t count = answered(&all, one);
            if (count == 0)
                continue;
            double came = now();
            for (size_t j = 0; j < count; j++) {
                double took = came - oldest_moment(&one->asked);
                if (counts)
                    add_seconds(&all, took);
            }
            ask(&all, one, count, came);
        }
    }
    tell(&all, at - starts, processor() - spent);
}

/* So many questions a second, one connection after the other, whether there are answers or not.
 *
 * Each counts from the moment at which it was meant to be asked: a server that makes everybody wait must not be asked
 * less for it. */
static void ask_steadily(const plan *p) {
    crowd all = gathered(p);
    double begun = now(), spent = processor();
    double starts = begun + p->warms, ends = starts + p->seconds, last = ends + PATIENCE, due = begun;
    uint64_t asked = 0, waiting = 0;
    while (due < ends || waiting) {
        double at = now();
        if (at > last)
            fail("%" PRIu64 " questions were not answered for %d s", waiting, PATIENCE);
        while (due <= at && due < ends) {
            ask(&all, &all.clients[asked % p->count], 1, due);
            waiting++;
            due = begun + (double)++asked / p->rate;
        }
        struct epoll_event events[EVENTS];
        int heard_of = due < ends ? heard_until(all.poll, events, due) : heard(all.poll, events, PAUSE);
        for (int i = 0; i < heard_of; i++) {
            client *one = events[i].data.ptr;
            size_t count = answered(&all, one);
            double came = now();
            for (size_t j = 0; j < count; j++, waiting--) {
                double meant = oldest_moment(&one->asked);
                if (meant >= starts)
                    add_seconds(&all, came - meant);
            }
        }
    }
    tell(&all, p->seconds, (processor() - spent) * p->seconds / (p->warms + p->seconds));
}

/* ------------------------------------------------ clients that watch */

/* Reads whatever comes until nobody wants it any more. */
static void watch(const plan *p) {
    byte *in = room(NULL, CHUNK, 1);
    int poll = new_poll();
    for (size_t i = 0; i < p->count; i++) {
        int fd = connected(p, i, in);
        if (i + p->silent < p->count)
            listen_to(poll, fd, (epoll_data_t){.fd = fd});
    }
    listen_to(poll, STDIN_FILENO, (epoll_data_t){.fd = STDIN_FILENO});
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[EVENTS];
        int heard_of = heard(poll, events, -1);
        for (int i = 0; i < heard_of; i++) {
            if (events[i].data.fd == STDIN_FILENO)
                return;
            received(events[i].data.fd, in, MSG_DONTWAIT);
        }
    }
}

int main(int count, char **words) {
    int watches = count == 3 && strcmp(words[1], "watch") == 0;
    if (!watches && (count != 3 || strcmp(words[1], "ask") != 0))
        fail("say: crowd ask PLAN, or: crowd watch PLAN");
    allow_many_files();
    plan p = read_plan(words[2]);
    if (watches)
        watch(&p);
    else if (p.rate > 0)
        ask_steadily(&p);
    else
        ask_on(&p);
    return 0;
}
