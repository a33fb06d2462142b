/* All baccarat deals from one shoe, counted exactly.
 *
 * The result counts ordered deals of six cards: two for Player, two for Banker, then the cards that would be
 * drawn fifth and sixth. A round that needs only four or five cards is counted once for each way to deal the
 * rest, so the counts of all outcomes share the denominator N(N-1)(N-2)(N-3)(N-4)(N-5).
 *
 * The order of dealing does not matter to a count, so the drawn cards are taken out of the shoe first. What is
 * left for the first four cards then has a closed form. With n[v] cards of value v, and totals modulo 10:
 *
 *   partner[v][s] = n[s-v], less one if s = 2v           cards that make a card of value v a hand of total s
 *   hands[s]      = sum over v of n[v] partner[v][s]     ordered hands of two cards with total s
 *   shared[s][t]  = sum over v of n[v] partner[v][s] partner[v][t]      two hands with their first card in common
 *   joint[s][t]   = hands[s] hands[t] - 4 shared[s][t] + 2 [s = t] hands[s]       two hands with no card in common
 *
 * Pairs are found the same way: a pair is taken out of the shoe first, and the rest needs values only.
 *
 * The integers are held in doubles. No partial result exceeds the denominator, so all are exact while that is
 * below 2 to the 53rd: up to 458 cards, which covers eight decks. The shoe must hold at least six cards. */
#include <stdint.h>
#include <string.h>

enum { VALUES = 10, TOTALS = 10, RANKS = 13, LIVE = 8 };

/* Four doubles side by side. Two of them cover the totals 0 to 7, with which a round goes on. */
typedef double lanes __attribute__((vector_size(32)));
typedef double lanes_anywhere __attribute__((vector_size(32), aligned(8)));
typedef int64_t lane_mask __attribute__((vector_size(32)));

/* Who drew is one number, 2 for Player plus 1 for Banker. */
enum { NOBODY = 0, BANKER_ONLY = 1, PLAYER_ONLY = 2, BOTH = 3 };
typedef double outcomes[4][TOTALS][TOTALS];

static const int VALUE_OF_RANK[RANKS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};

/* One where a second card of the same value makes the total: then the first card cannot be its own partner. */
static const double DOUBLED[VALUES][LIVE] = {
    [0] = {[0] = 1}, [1] = {[2] = 1}, [2] = {[4] = 1}, [3] = {[6] = 1}, [4] = {0},
    [5] = {[0] = 1}, [6] = {[2] = 1}, [7] = {[4] = 1}, [8] = {[6] = 1}, [9] = {0},
};

/* Banker's rule after Player drew: a row for each value Player drew, a lane for each total of Banker. */
static const lane_mask BANKER_DRAWS[VALUES][2] = {
    {{-1, -1, -1, -1}, {0, 0, 0, 0}},   /* 0: draws on 0 to 3 */
    {{-1, -1, -1, -1}, {0, 0, 0, 0}},   /* 1 */
    {{-1, -1, -1, -1}, {-1, 0, 0, 0}},  /* 2: also on 4 */
    {{-1, -1, -1, -1}, {-1, 0, 0, 0}},  /* 3 */
    {{-1, -1, -1, -1}, {-1, -1, 0, 0}}, /* 4: also on 5 */
    {{-1, -1, -1, -1}, {-1, -1, 0, 0}}, /* 5 */
    {{-1, -1, -1, -1}, {-1, -1, -1, 0}}, /* 6: also on 6 */
    {{-1, -1, -1, -1}, {-1, -1, -1, 0}}, /* 7 */
    {{-1, -1, -1, 0}, {0, 0, 0, 0}},    /* 8: on 0 to 2 only */
    {{-1, -1, -1, -1}, {0, 0, 0, 0}},   /* 9 */
};

static inline lanes load(const double *from) {
    return *(const lanes_anywhere *)from;
}

static inline void store(double *to, lanes what) {
    *(lanes_anywhere *)to = what;
}

static inline void add(double *to, lanes what) {
    *(lanes_anywhere *)to += what;
}

static inline lanes keep(lanes what, lane_mask mask) {
    return (lanes)((lane_mask)what & mask);
}

static inline int banker_draws(int total, int drawn) {
    return total < LIVE && BANKER_DRAWS[drawn][total / 4][total % 4] != 0;
}

/* Naturals end the round, and so do two hands that both stand on 6 or 7. */
static inline int nobody_draws(int player, int banker) {
    return player > 7 || banker > 7 || (player > 5 && banker > 5);
}

/* The counts written out more than twice over, so that n[(s - v) mod 10] for consecutive totals s is a plain
 * load that starts at wrapped + 10 - v. */
enum { WRAPPED = 24 };

static inline void wrap(const double *counts, double *wrapped) {
    memcpy(wrapped, counts, VALUES * sizeof(double));
    memcpy(wrapped + VALUES, counts, VALUES * sizeof(double));
    memcpy(wrapped + 2 * VALUES, counts, (WRAPPED - 2 * VALUES) * sizeof(double));
}

static inline void change_wrapped(double *wrapped, int value, double by) {
    wrapped[value] += by;
    wrapped[value + VALUES] += by;
    if (value < WRAPPED - 2 * VALUES)
        wrapped[value + 2 * VALUES] += by;
}

static inline lanes partners_low(const double *wrapped, int value) {
    return load(wrapped + 10 - value) - load(DOUBLED[value]);
}

static inline lanes partners_high(const double *wrapped, int value) {
    return load(wrapped + 14 - value) - load(DOUBLED[value] + 4);
}

/* Ordered hands of two cards for every total; hands has room for twelve, of which ten mean something. */
static inline void count_hands(const double *counts, const double *wrapped, double hands[12]) {
    lanes low = {0}, middle = {0}, high = {0};
    for (int v = 0; v < VALUES; v++) {
        low += counts[v] * load(wrapped + 10 - v);
        middle += counts[v] * load(wrapped + 14 - v);
        high += counts[v] * load(wrapped + 18 - v);
    }
    store(hands, low);
    store(hands + 4, middle);
    store(hands + 8, high);
    for (int half = 0; half < 5; half++)
        hands[2 * half] -= counts[half] + counts[half + 5];
}

/* The first four cards for Player's totals 0 to rows-1 (rows is even) and Banker's totals 0 to 7, in lanes. */
static inline __attribute__((always_inline)) void
count_joint(const double *counts, const double *wrapped, int rows, lanes joint[LIVE][2]) {
    lanes partner[VALUES][2];
    double weighted[VALUES][LIVE];
    double hands[LIVE];
    lanes hands_low = {0}, hands_high = {0};
    for (int v = 0; v < VALUES; v++) {
        partner[v][0] = partners_low(wrapped, v);
        partner[v][1] = partners_high(wrapped, v);
        lanes low = partner[v][0] * counts[v];
        lanes high = partner[v][1] * counts[v];
        store(weighted[v], low);
        store(weighted[v] + 4, high);
        hands_low += low;
        hands_high += high;
    }
    store(hands, hands_low);
    store(hands + 4, hands_high);
    /* Two rows at a time use each partner twice once it is loaded, and keep four sums going at once. */
    for (int s = 0; s < rows; s += 2) {
        lanes even_low = {0}, even_high = {0}, odd_low = {0}, odd_high = {0};
        for (int v = 0; v < VALUES; v++) {
            even_low += weighted[v][s] * partner[v][0];
            even_high += weighted[v][s] * partner[v][1];
            odd_low += weighted[v][s + 1] * partner[v][0];
            odd_high += weighted[v][s + 1] * partner[v][1];
        }
        joint[s][0] = hands[s] * hands_low - 4.0 * even_low;
        joint[s][1] = hands[s] * hands_high - 4.0 * even_high;
        joint[s + 1][0] = hands[s + 1] * hands_low - 4.0 * odd_low;
        joint[s + 1][1] = hands[s + 1] * hands_high - 4.0 * odd_high;
    }
    for (int s = 0; s < rows; s++)
        ((double *)joint[s])[s] += 2.0 * hands[s];
}

/* Rounds of four cards. The joint counts are symmetric and every such round has a total of 6 or more, so rows 6
 * to 9 are enough. The lanes past total 9 are never read. */
static void count_nobody_draws(const double *counts, const double *wrapped, double cards, outcomes found) {
    double hands[12];
    count_hands(counts, wrapped, hands);
    double rest = (cards - 4) * (cards - 5);
    for (int s = 6; s < TOTALS; s++) {
        lanes shared[3] = {{0}};
        for (int v = 0; v < VALUES; v++) {
            int same = 2 * v % 10;
            double weighted = counts[v] * (wrapped[10 + s - v] - (same == s));
            for (int part = 0; part < 3; part++)
                shared[part] += weighted * load(wrapped + 10 + 4 * part - v);
            shared[same / 4][same % 4] -= weighted;
        }
        for (int t = s > 7 ? 0 : 6; t < TOTALS; t++) {
            double joint = hands[s] * hands[t] - 4.0 * shared[t / 4][t % 4];
            if (s == t)
                joint += 2.0 * hands[s];
            found[NOBODY][s][t] = joint * rest;
            found[NOBODY][t][s] = joint * rest;
        }
    }
}

/* Every deal by totals and draws; pairs are not looked at. The sums run over totals that have not wrapped yet,
 * so that a drawn card merely shifts where a vector is added; they are folded modulo 10 at the end. */
static void count_all(const double *shoe, outcomes found) {
    double counts[VALUES], wrapped[WRAPPED];
    double both[16][20] = {{0}}, player_only[16][LIVE] = {{0}}, banker_only[2][20] = {{0}};
    double cards = 0;
    lanes joint[LIVE][2];
    memcpy(counts, shoe, sizeof counts);
    for (int v = 0; v < VALUES; v++)
        cards += counts[v];
    wrap(counts, wrapped);
    count_nobody_draws(counts, wrapped, cards, found);
    for (int x = 0; x < VALUES; x++) {
        double ways_x = counts[x];
        if (ways_x <= 0)
            continue;
        counts[x] -= 1;
        wrap(counts, wrapped);
        count_joint(counts, wrapped, 8, joint);
        for (int s = 0; s < 6; s++)
            for (int part = 0; part < 2; part++)
                add(&player_only[s + x][4 * part], keep(ways_x * joint[s][part], ~BANKER_DRAWS[x][part]));
        for (int s = 6; s < 8; s++)
            for (int t = 0; t < 6; t++)
                banker_only[s - 6][t + x] += ways_x * joint[s][t / 4][t % 4];
        /* Which of two drawn cards is whose does not change what is left, so one joint table serves both. */
        for (int y = x; y < VALUES; y++) {
            double ways = ways_x * counts[y];
            if (ways <= 0)
                continue;
            counts[y] -= 1;
            change_wrapped(wrapped, y, -1);
            count_joint(counts, wrapped, 6, joint);
            for (int s = 0; s < 6; s++)
                for (int part = 0; part < 2; part++) {
                    lanes deals = ways * joint[s][part];
                    add(&both[s + x][y + 4 * part], keep(deals, BANKER_DRAWS[x][part]));
                    if (x != y)
                        add(&both[s + y][x + 4 * part], keep(deals, BANKER_DRAWS[y][part]));
                }
            counts[y] += 1;
            change_wrapped(wrapped, y, 1);
        }
        counts[x] += 1;
    }
    for (int s = 0; s < 15; s++) {
        for (int t = 0; t < 17; t++)
            found[BOTH][s % 10][t % 10] += both[s][t];
        for (int t = 0; t < LIVE; t++)
            found[PLAYER_ONLY][s % 10][t] += player_only[s][t] * (cards - 5);
    }
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 15; t++)
            found[BANKER_ONLY][s + 6][t % 10] += banker_only[s][t] * (cards - 5);
}

/* What remains once a pair has been taken out; the same for a pair of Player's and of Banker's. */
typedef struct {
    double counts[VALUES];
    double wrapped[WRAPPED];
    double hands[12];
    double cards;
} remainder_of_shoe;

static void take_stock(const double *counts, remainder_of_shoe *left) {
    memcpy(left->counts, counts, sizeof left->counts);
    wrap(counts, left->wrapped);
    count_hands(counts, left->wrapped, left->hands);
    left->cards = 0;
    for (int v = 0; v < VALUES; v++)
        left->cards += counts[v];
}

/* Deals in which Player's first two cards are a known pair of this total, which can be had in so many ways.
 * Lanes are Banker's totals. Taking out a card x leaves hands[t] - 2 partner[x][t] hands of total t. */
static void count_player_pair(remainder_of_shoe *left, int player, double ways, outcomes found) {
    double both[VALUES][20] = {{0}}, player_only[VALUES][LIVE], banker_only[20] = {0};
    double *wrapped = left->wrapped;
    const double *hands = left->hands;
    double cards = left->cards;
    for (int t = 0; t < TOTALS; t++)
        if (nobody_draws(player, t))
            found[NOBODY][player][t] += ways * hands[t] * (cards - 2) * (cards - 3);
    if (player > 7)
        return;
    for (int x = 0; x < VALUES; x++) {
        double ways_x = left->counts[x];
        lanes low = load(hands) - 2.0 * partners_low(wrapped, x);
        lanes high = load(hands + 4) - 2.0 * partners_high(wrapped, x);
        if (player > 5) {
            add(banker_only + x, ways_x * low);
            banker_only[x + 4] += ways_x * high[0];
            banker_only[x + 5] += ways_x * high[1];
            continue;
        }
        store(player_only[x], keep(ways_x * low, ~BANKER_DRAWS[x][0]));
        store(player_only[x] + 4, keep(ways_x * high, ~BANKER_DRAWS[x][1]));
        if (ways_x <= 0)
            continue;
        change_wrapped(wrapped, x, -1);
        for (int y = 0; y < VALUES; y++) {
            double ways_xy = ways_x * wrapped[y];
            lanes deals_low = ways_xy * (low - 2.0 * partners_low(wrapped, y));
            lanes deals_high = ways_xy * (high - 2.0 * partners_high(wrapped, y));
            add(both[x] + y, keep(deals_low, BANKER_DRAWS[x][0]));
            add(both[x] + y + 4, keep(deals_high, BANKER_DRAWS[x][1]));
        }
        change_wrapped(wrapped, x, 1);
    }
    if (player > 5) {
        for (int t = 0; t < 15; t++)
            found[BANKER_ONLY][player][t % 10] += ways * banker_only[t] * (cards - 3);
        return;
    }
    for (int x = 0; x < VALUES; x++) {
        int final = (player + x) % 10;
        for (int t = 0; t < LIVE; t++)
            found[PLAYER_ONLY][final][t] += ways * player_only[x][t] * (cards - 3);
        for (int t = 0; t < TOTALS; t++)
            found[BOTH][final][t] += ways * (both[x][t] + both[x][t + 10]);
    }
}

/* The same with Banker's first two cards known. Lanes are Player's totals, of which 0 to 5 draw. */
static void count_banker_pair(remainder_of_shoe *left, int banker, double ways, outcomes found) {
    double both[VALUES][20] = {{0}}, player_only[20] = {0};
    double *wrapped = left->wrapped;
    const double *hands = left->hands;
    double cards = left->cards;
    for (int s = 0; s < TOTALS; s++)
        if (nobody_draws(s, banker))
            found[NOBODY][s][banker] += ways * hands[s] * (cards - 2) * (cards - 3);
    if (banker > 7)
        return;
    for (int x = 0; x < VALUES; x++) {
        double ways_x = left->counts[x];
        if (ways_x <= 0)
            continue;
        lanes low = load(hands) - 2.0 * partners_low(wrapped, x);
        lanes high = load(hands + 4) - 2.0 * partners_high(wrapped, x);
        if (banker < 6)
            for (int s = 6; s < 8; s++)
                found[BANKER_ONLY][s][(banker + x) % 10] += ways * ways_x * high[s - 4] * (cards - 3);
        if (!banker_draws(banker, x)) {
            lanes deals_high = ways_x * high;
            add(player_only + x, ways_x * low);
            add(player_only + x + 4, (lanes){deals_high[0], deals_high[1], 0, 0});
            continue;
        }
        change_wrapped(wrapped, x, -1);
        for (int y = 0; y < VALUES; y++) {
            double ways_xy = ways_x * wrapped[y];
            lanes deals_low = ways_xy * (low - 2.0 * partners_low(wrapped, y));
            lanes deals_high = ways_xy * (high - 2.0 * partners_high(wrapped, y));
            add(both[y] + x, deals_low);
            add(both[y] + x + 4, (lanes){deals_high[0], deals_high[1], 0, 0});
        }
        change_wrapped(wrapped, x, 1);
    }
    for (int s = 0; s < 15; s++)
        found[PLAYER_ONLY][s % 10][banker] += ways * player_only[s] * (cards - 3);
    for (int y = 0; y < VALUES; y++)
        for (int s = 0; s < 15; s++)
            found[BOTH][s % 10][(banker + y) % 10] += ways * both[y][s];
}

/* Deals in which both hands begin with a known pair; only the drawn cards are open. */
static void count_two_pairs(const double *counts, double cards, int player, int banker, double ways, outcomes found) {
    if (nobody_draws(player, banker)) {
        found[NOBODY][player][banker] += ways * cards * (cards - 1);
        return;
    }
    for (int x = 0; x < VALUES; x++) {
        double ways_x = ways * counts[x];
        if (player > 5) {
            found[BANKER_ONLY][player][(banker + x) % 10] += ways_x * (cards - 1);
        } else if (!banker_draws(banker, x)) {
            found[PLAYER_ONLY][(player + x) % 10][banker] += ways_x * (cards - 1);
        } else {
            double *row = found[BOTH][(player + x) % 10];
            for (int y = 0; y < VALUES; y++)
                row[(banker + y) % 10] += ways_x * (counts[y] - (x == y));
        }
    }
}

/* Ordered ways to deal two pairs of ranks that both have this value: of one rank four times, or of two ranks. */
static double ways_of_two_pairs(const int32_t *ranks, int value, double ways_of_one) {
    double ways = 0;
    for (int r = 0; r < RANKS; r++) {
        if (VALUE_OF_RANK[r] != value)
            continue;
        double left = ranks[r];
        double pairs = left * (left - 1);
        ways += pairs * (ways_of_one - pairs) + pairs * (left - 2) * (left - 3);
    }
    return ways;
}

/* ranks: cards left of A, 2 to 9, T, J, Q, K.
 * out[(((player_total*10 + banker_total)*2 + player_drew)*2 + banker_drew)*4 + player_pair*2 + banker_pair]. */
void baccarat_counts(const int32_t ranks[RANKS], double out[1600]) {
    outcomes all = {{{0}}}, player_pair = {{{0}}}, banker_pair = {{{0}}}, two_pairs = {{{0}}};
    double counts[VALUES] = {0}, pairs[VALUES] = {0};
    for (int r = 0; r < RANKS; r++) {
        double left = ranks[r];
        counts[VALUE_OF_RANK[r]] += left;
        pairs[VALUE_OF_RANK[r]] += left * (left - 1);
    }
    count_all(counts, all);
    for (int v = 0; v < VALUES; v++) {
        if (pairs[v] <= 0)
            continue;
        int total = 2 * v % 10;
        remainder_of_shoe left;
        counts[v] -= 2;
        take_stock(counts, &left);
        count_player_pair(&left, total, pairs[v], player_pair);
        count_banker_pair(&left, total, pairs[v], banker_pair);
        for (int u = 0; u < VALUES; u++) {
            double ways = u == v ? ways_of_two_pairs(ranks, v, pairs[v]) : pairs[v] * pairs[u];
            if (ways <= 0)
                continue;
            counts[u] -= 2;
            count_two_pairs(counts, left.cards - 2, total, 2 * u % 10, ways, two_pairs);
            counts[u] += 2;
        }
        counts[v] += 2;
    }
    for (int s = 0; s < TOTALS; s++)
        for (int t = 0; t < TOTALS; t++)
            for (int drew = 0; drew < 4; drew++) {
                double *flags = out + ((s * 10 + t) * 4 + drew) * 4;
                double player = player_pair[drew][s][t];
                double banker = banker_pair[drew][s][t];
                double two = two_pairs[drew][s][t];
                flags[0] = all[drew][s][t] - player - banker + two;
                flags[1] = banker - two;
                flags[2] = player - two;
                flags[3] = two;
            }
}

/* k shoes of 13 ranks one after another, each result written over the last: for timing without the calls. */
void baccarat_counts_many(const int32_t *ranks, int k, double *out) {
    for (int i = 0; i < k; i++)
        baccarat_counts(ranks + RANKS * i, out);
}
