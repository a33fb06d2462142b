/* All ways to deal both hands of Dragon 21 from one shoe, counted exactly by walking the graph of hands.
 *
 * A hand draws until it has 17 or more, and only the values of its cards matter, not their order. So a hand on
 * its way is one of 600 multisets of values with a total of at most 16. Between them lead 1166 steps, and 4832
 * more steps end in one of 3356 finished multisets, of twelve cards at most.
 *
 * Who is dealt first does not matter to a count. So each finished hand is given to Dragon in turn, with its
 * orders and the ways to draw it, and Tiger's graph is walked with the cards that remain: the ways to reach a
 * hand are the sum over the steps into it of the ways to reach the hand before, times the cards left of the
 * value drawn. Numbers of at most seven cards fit 64 bits and those of twelve fit 128; the product of both hands
 * needs 256. Every hand is filled up to twelve cards, so that all counts share one denominator, N(N-1)..(N-23).
 *
 * Wagers on pairs ask how a hand began. Group 0 is every hand; group g, from 1 to 10, is the hands that begin
 * with two cards of the value g. Rounds with a blackjack end after four cards and are left out here: no hand
 * here begins with an ace and a ten.
 *
 * The shoe must hold at least 24 cards and at most 520. */
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { VALUES = 10, GROUPS = 11, STANDS = 17, CLASSES = 10, MOST_CARDS = 12, NARROW_CARDS = 7 };
enum { MOST_NODES = 600, MOST_STEPS = 1166, MOST_LAST_STEPS = 4832, MOST_FINISHED = 3356 };

/* A multiset of values: four bits for the cards of each value, from the ace (0) to the ten (9). */
typedef u64 hand;

static hand with_card(hand h, int value) {
    return h + ((hand)1 << 4 * value);
}

static int cards_of(hand h, int value) {
    return h >> 4 * value & 15;
}

static int size_of(hand h) {
    int size = 0;
    for (int v = 0; v < VALUES; v++)
        size += cards_of(h, v);
    return size;
}

static int total_of(hand h) {
    int total = 0;
    for (int v = 0; v < VALUES; v++)
        total += (v + 1) * cards_of(h, v);
    return cards_of(h, 0) && total <= 11 ? total + 10 : total;
}

static int is_blackjack(hand h) {
    return h == with_card(with_card(0, 0), 9);
}

/* A step's factor is the number of cards left of the value it draws, less those already in the hand. Both are
 * known once the shoe is, so the differences are tabled and a step only says where to look. */
enum { FACTORS = VALUES * MOST_CARDS };

static int factor_of(hand h, int value) {
    return value * MOST_CARDS + cards_of(h, value);
}

typedef struct {
    uint16_t from, to, factor;
} step;

typedef struct {
    uint16_t from, factor;
} last_step;

/* Consecutive last steps that finish with the same number of cards in the same class (total less 17). */
typedef struct {
    int end, cards, class;
} finish;

/* The hands of one group. Nodes are in order of their cards, node 0 is where the group begins; so are the
 * steps and the finishes, and each list starts with the part that 64 bits hold. */
typedef struct {
    int nodes, narrow_nodes, first_wide_source;
    int steps, narrow_steps;
    int finishes, narrow_finishes;
    int finished_class; /* of a group whose two cards already stand, otherwise -1 */
    step step[MOST_STEPS];
    last_step last_step[MOST_LAST_STEPS];
    finish finish[CLASSES * (MOST_CARDS + 1)];
} graph;

typedef struct {
    hand cards;
    int size, class;
    u64 orders[GROUPS];
} finished_hand;

static graph graphs[GROUPS];
static finished_hand finished[MOST_FINISHED];
static int finished_count;

/* Looks from the back, because a hand that is met again was mostly met recently. */
static finished_hand *finished_as(hand h) {
    for (int i = finished_count - 1; i >= 0; i--)
        if (finished[i].cards == h)
            return &finished[i];
    finished_hand *added = &finished[finished_count++];
    added->cards = h;
    added->size = size_of(h);
    added->class = total_of(h) - STANDS;
    return added;
}

static void build_graph(int group, hand start) {
    static hand node[MOST_NODES];
    static u64 orders[MOST_NODES];
    static struct {
        last_step how;
        int cards, class;
    } ending[MOST_LAST_STEPS];
    graph *g = &graphs[group];
    int endings = 0;
    g->finished_class = -1;
    if (total_of(start) >= STANDS) {
        g->finished_class = total_of(start) - STANDS;
        finished_as(start)->orders[group] = 1;
        return;
    }
    node[0] = start;
    orders[0] = 1;
    g->nodes = 1;
    /* Breadth first: all steps into a hand have been seen before its own steps are taken. */
    for (int from = 0; from < g->nodes; from++) {
        int cards = size_of(node[from]) + 1;
        for (int v = 0; v < VALUES; v++) {
            hand next = with_card(node[from], v);
            uint16_t factor = factor_of(node[from], v);
            if (is_blackjack(next))
                continue;
            if (total_of(next) >= STANDS) {
                finished_as(next)->orders[group] += orders[from];
                ending[endings].how = (last_step){from, factor};
                ending[endings].cards = cards;
                ending[endings].class = total_of(next) - STANDS;
                endings++;
                continue;
            }
            int to = g->nodes - 1;
            while (to >= 0 && node[to] != next)
                to--;
            if (to < 0) {
                to = g->nodes++;
                node[to] = next;
                orders[to] = 0;
            }
            orders[to] += orders[from];
            g->step[g->steps++] = (step){from, to, factor};
            if (cards <= NARROW_CARDS)
                g->narrow_steps = g->steps;
        }
        if (size_of(node[from]) <= NARROW_CARDS)
            g->narrow_nodes = from + 1;
        if (size_of(node[from]) < NARROW_CARDS)
            g->first_wide_source = from + 1;
    }
    int sorted = 0;
    for (int cards = 2; cards <= MOST_CARDS; cards++)
        for (int class = 0; class < CLASSES; class++) {
            int before = sorted;
            for (int i = 0; i < endings; i++)
                if (ending[i].cards == cards && ending[i].class == class)
                    g->last_step[sorted++] = ending[i].how;
            if (sorted > before)
                g->finish[g->finishes++] = (finish){sorted, cards, class};
            if (cards <= NARROW_CARDS)
                g->narrow_finishes = g->finishes;
        }
}

__attribute__((constructor)) static void prepare(void) {
    build_graph(0, 0);
    for (int group = 1; group < GROUPS; group++)
        build_graph(group, with_card(with_card(0, group - 1), group - 1));
}

/* Deals of twelve cards that give Tiger a hand of this graph, by class. `left` holds the factors, `begin` the
 * ways to draw what the group begins with, and fill[c] the ways to fill a hand of c cards up to twelve. */
static void walk(const graph *g, const u64 left[FACTORS], u64 begin, const u128 *fill, u128 deals[CLASSES]) {
    u64 narrow[MOST_NODES];
    u128 wide[MOST_NODES];
    memset(deals, 0, CLASSES * sizeof *deals);
    if (g->finished_class >= 0) {
        deals[g->finished_class] = begin * fill[2];
        return;
    }
    memset(narrow, 0, g->narrow_nodes * sizeof *narrow);
    narrow[0] = begin;
    for (int i = 0; i < g->narrow_steps; i++) {
        step s = g->step[i];
        narrow[s.to] += narrow[s.from] * left[s.factor];
    }
    int last = 0;
    for (int i = 0; i < g->narrow_finishes; i++) {
        finish f = g->finish[i];
        u64 ways = 0;
        for (; last < f.end; last++)
            ways += narrow[g->last_step[last].from] * left[g->last_step[last].factor];
        deals[f.class] += ways * fill[f.cards];
    }
    /* Hands of seven cards are the sources of the first numbers that need more than 64 bits. */
    for (int i = g->first_wide_source; i < g->narrow_nodes; i++)
        wide[i] = narrow[i];
    for (int i = g->narrow_nodes; i < g->nodes; i++)
        wide[i] = 0;
    for (int i = g->narrow_steps; i < g->steps; i++) {
        step s = g->step[i];
        wide[s.to] += wide[s.from] * left[s.factor];
    }
    for (int i = g->narrow_finishes; i < g->finishes; i++) {
        finish f = g->finish[i];
        u128 ways = 0;
        for (; last < f.end; last++)
            ways += wide[g->last_step[last].from] * left[g->last_step[last].factor];
        deals[f.class] += ways * fill[f.cards];
    }
}

/* sum += a * b, where sum has four words, the lowest first. */
static inline void add_product(u64 sum[4], u128 a, u128 b) {
    u64 a_low = (u64)a, a_high = (u64)(a >> 64);
    u64 b_low = (u64)b, b_high = (u64)(b >> 64);
    u128 low = (u128)a_low * b_low;
    u128 cross = (u128)a_low * b_high;
    u128 other = (u128)a_high * b_low;
    u128 high = (u128)a_high * b_high;
    u128 middle = (low >> 64) + (u64)cross + (u64)other;
    high += (cross >> 64) + (other >> 64) + (middle >> 64);
    u128 word = (u128)sum[0] + (u64)low;
    sum[0] = (u64)word;
    word = (u128)sum[1] + (u64)middle + (u64)(word >> 64);
    sum[1] = (u64)word;
    word = (u128)sum[2] + (u64)high + (u64)(word >> 64);
    sum[2] = (u64)word;
    sum[3] += (u64)(high >> 64) + (u64)(word >> 64);
}

/* values: cards left of A, 2 to 9, T. groups: 1 for totals only, or 11.
 * out[dragon_group][tiger_group][dragon_class][tiger_class][word], four words each, the lowest first. */
void dragon21_graph(const int32_t values[VALUES], int groups, u64 *out) {
    u64(*sums)[GROUPS][CLASSES][CLASSES][4] = (u64(*)[GROUPS][CLASSES][CLASSES][4])out;
    u64 cards = 0;
    memset(out, 0, GROUPS * sizeof *sums);
    for (int v = 0; v < VALUES; v++)
        cards += values[v];
    for (int d = 0; d < finished_count; d++) {
        const finished_hand *dragon = &finished[d];
        u64 left[FACTORS];
        u128 fill[MOST_CARDS + 1];
        u128 draws = 1;
        for (int v = 0; v < VALUES; v++) {
            int taken = cards_of(dragon->cards, v);
            for (int i = 0; i < taken; i++)
                draws *= values[v] > i ? values[v] - i : 0;
            for (int i = 0; i < MOST_CARDS; i++)
                left[v * MOST_CARDS + i] = (u64)values[v] - taken - i;
        }
        if (draws == 0)
            continue;
        /* The cards that fill up Dragon's hand are dealt last, when Tiger has its twelve. */
        for (int i = MOST_CARDS + dragon->size; i < 2 * MOST_CARDS; i++)
            draws *= cards - i;
        fill[MOST_CARDS] = 1;
        for (int c = MOST_CARDS - 1; c >= 2; c--)
            fill[c] = fill[c + 1] * (cards - dragon->size - c);
        for (int tiger = 0; tiger < groups; tiger++) {
            u64 begin = 1;
            u128 deals[CLASSES];
            if (tiger > 0)
                begin = left[(tiger - 1) * MOST_CARDS] * left[(tiger - 1) * MOST_CARDS + 1];
            if (begin == 0)
                continue;
            walk(&graphs[tiger], left, begin, fill, deals);
            for (int group = 0; group < groups; group++) {
                if (dragon->orders[group] == 0)
                    continue;
                u128 ways = draws * dragon->orders[group];
                for (int class = 0; class < CLASSES; class++)
                    if (deals[class] != 0)
                        add_product(sums[group][tiger][dragon->class][class], ways, deals[class]);
            }
        }
    }
}
