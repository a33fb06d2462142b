/* All ways to deal both hands of Dragon 21 from one shoe, counted exactly by evaluating a polynomial.
 *
 * The ways to draw a finished Dragon hand and a finished Tiger hand together depend only on the cards they use
 * together: the product over the values v of n[v] (n[v]-1) .. (n[v]-c[v]+1), when both hands hold c[v] cards of
 * value v. So all pairs of hands that use the same multiset c can be put together beforehand. The 3356 times 3356
 * pairs leave 299,961 multisets and 747,406 coefficients, one for each multiset and pair of totals that occurs
 * with it. They depend on the rules alone and are built once.
 *
 * A shoe is then evaluated by going through the multisets in order, tens first and aces last. Most differ from
 * the one before only in their last value or two, so the products of the values before are kept.
 *
 * Both hands draw by the same rule, so only Dragon totals up to Tiger's are kept. Rounds with a blackjack are
 * left out. The result is by number of cards: the caller fills up k cards to 24 with (N-k)(N-k-1)..(N-23).
 *
 * The shoe may hold up to 520 cards, and 255 of a value. Where threads are used, build before they start. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { VALUES = 10, STANDS = 17, CLASSES = 10, MOST_CARDS = 24, MOST_HANDS = 600 + 3356 };

/* A multiset of values: five bits for the cards of each value. The ace (0) has the lowest bits and so changes
 * fastest in sorted order. */
typedef u64 multiset;

static multiset with_card(multiset m, int value) {
    return m + ((multiset)1 << 5 * value);
}

static int cards_of(multiset m, int value) {
    return m >> 5 * value & 31;
}

static int total_of(multiset hand) {
    int total = 0;
    for (int v = 0; v < VALUES; v++)
        total += (v + 1) * cards_of(hand, v);
    return cards_of(hand, 0) && total <= 11 ? total + 10 : total;
}

static int is_blackjack(multiset hand) {
    return hand == with_card(with_card(0, 0), 9);
}

/* What a walk over the multisets needs of each: the first column in which it differs from the one before, where
 * column 0 is the ten and column 9 the ace; its cards by column and in all; and where its coefficients end. */
typedef struct {
    uint8_t count[VALUES];
    uint8_t first_change;
    uint8_t cards;
    uint32_t end;
} entry;

static entry *entries;
static int entry_count;
static uint32_t *coefficients;
static uint8_t *classes;

typedef struct {
    multiset cards;
    u64 orders;
    int class;
} hand;

/* Lists the finished hands with the number of orders in which each can be drawn. */
static int list_finished(hand *finished) {
    static hand met[MOST_HANDS];
    int mets = 1, count = 0;
    met[0].cards = 0;
    met[0].orders = 1;
    met[0].class = -STANDS;
    /* Breadth first: all steps to a hand have been seen before its own steps are taken. */
    for (int from = 0; from < mets; from++) {
        if (met[from].class >= 0) {
            finished[count++] = met[from];
            continue;
        }
        for (int v = 0; v < VALUES; v++) {
            multiset next = with_card(met[from].cards, v);
            if (is_blackjack(next))
                continue;
            int to = mets - 1;
            while (to > from && met[to].cards != next)
                to--;
            if (to == from) {
                to = mets++;
                met[to].cards = next;
                met[to].orders = 0;
                met[to].class = total_of(next) - STANDS;
            }
            met[to].orders += met[from].orders;
        }
    }
    return count;
}

/* A multiset in the high bits with a pair of classes in the low seven, and its coefficient. */
typedef struct {
    u64 key, coefficient;
} term;

enum { CLASS_BITS = 7, DIGIT_BITS = 15, DIGITS = 1 << DIGIT_BITS };

/* Sorts by the 57 bits of the key, in four rounds of 15, an even number so that the result is where it began. */
static void sort_terms(term *terms, term *spare, size_t count) {
    static size_t place[DIGITS + 1];
    for (int shift = 0; shift < 4 * DIGIT_BITS; shift += DIGIT_BITS) {
        memset(place, 0, sizeof place);
        for (size_t i = 0; i < count; i++)
            place[(terms[i].key >> shift) % DIGITS + 1]++;
        for (int digit = 0; digit < DIGITS; digit++)
            place[digit + 1] += place[digit];
        for (size_t i = 0; i < count; i++)
            spare[place[(terms[i].key >> shift) % DIGITS]++] = terms[i];
        term *swap = terms;
        terms = spare;
        spare = swap;
    }
}

static size_t combine_equal(term *terms, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && terms[kept - 1].key == terms[i].key)
            terms[kept - 1].coefficient += terms[i].coefficient;
        else
            terms[kept++] = terms[i];
    }
    return kept;
}

/* Writes the terms in the form that is fast to walk. */
static void write_entries(const term *terms, size_t count) {
    multiset before = 0;
    for (size_t i = 0; i < count; i++) {
        multiset cards = terms[i].key >> CLASS_BITS;
        if (i == 0 || cards != before) {
            entry *e = &entries[entry_count++];
            e->first_change = 0;
            e->cards = 0;
            while (i > 0 && cards_of(cards, 9 - e->first_change) == cards_of(before, 9 - e->first_change))
                e->first_change++;
            for (int column = 0; column < VALUES; column++) {
                e->count[column] = cards_of(cards, 9 - column);
                e->cards += e->count[column];
            }
            before = cards;
        }
        entries[entry_count - 1].end = i + 1;
        coefficients[i] = terms[i].coefficient;
        classes[i] = terms[i].key % (1 << CLASS_BITS);
    }
}

/* Finds the coefficients, once; the number of multisets, or 0 when there is not enough memory. */
int dragon21_polynomial_build(void) {
    static hand finished[MOST_HANDS];
    if (entry_count > 0)
        return entry_count;
    int hands = list_finished(finished);
    size_t pairs = 0, count = 0;
    for (int d = 0; d < hands; d++)
        for (int t = 0; t < hands; t++)
            pairs += finished[d].class <= finished[t].class;
    term *terms = malloc(pairs * sizeof *terms);
    term *spare = malloc(pairs * sizeof *spare);
    if (terms != NULL && spare != NULL) {
        for (int d = 0; d < hands; d++)
            for (int t = 0; t < hands; t++) {
                hand dragon = finished[d], tiger = finished[t];
                if (dragon.class > tiger.class)
                    continue;
                terms[count].key = (dragon.cards + tiger.cards) << CLASS_BITS | (dragon.class * CLASSES + tiger.class);
                terms[count].coefficient = dragon.orders * tiger.orders;
                count++;
            }
        sort_terms(terms, spare, count);
        count = combine_equal(terms, count);
        entries = malloc(count * sizeof *entries);
        coefficients = malloc(count * sizeof *coefficients);
        classes = malloc(count * sizeof *classes);
        if (entries != NULL && coefficients != NULL && classes != NULL)
            write_entries(terms, count);
    }
    free(terms);
    free(spare);
    return entry_count;
}

/* A number of four words, the lowest first. */
typedef struct {
    u64 word[4];
} number;

static inline number times(number a, u64 factor) {
    number product;
    u128 part = (u128)a.word[0] * factor;
    product.word[0] = (u64)part;
    part = (u128)a.word[1] * factor + (u64)(part >> 64);
    product.word[1] = (u64)part;
    part = (u128)a.word[2] * factor + (u64)(part >> 64);
    product.word[2] = (u64)part;
    product.word[3] = a.word[3] * factor + (u64)(part >> 64);
    return product;
}

static inline void add_to(u64 sum[4], number a) {
    u128 part = (u128)sum[0] + a.word[0];
    sum[0] = (u64)part;
    part = (u128)sum[1] + a.word[1] + (u64)(part >> 64);
    sum[1] = (u64)part;
    part = (u128)sum[2] + a.word[2] + (u64)(part >> 64);
    sum[2] = (u64)part;
    sum[3] += a.word[3] + (u64)(part >> 64);
}

/* n (n-1) .. (n-c+1) as up to three factors of at most eight numbers each, which fit 64 bits. */
enum { PART_CARDS = 8, PARTS = 3 };

static void form_factors(int32_t cards, u64 factor[MOST_CARDS + 1][PARTS]) {
    for (int part = 0; part < PARTS; part++)
        factor[0][part] = 1;
    for (int c = 1; c <= MOST_CARDS; c++) {
        memcpy(factor[c], factor[c - 1], sizeof factor[c]);
        factor[c][(c - 1) / PART_CARDS] *= cards >= c ? cards - c + 1 : 0;
    }
}

/* A count of deals of 14 cards from at most 520 fits two words. */
enum { TWO_WORDS = 14 };

/* values: cards left of A, 2 to 9, T.
 * out[cards][dragon_class*10 + tiger_class][word], for Dragon classes up to Tiger's; class is total less 17. */
void dragon21_polynomial(const int32_t values[VALUES], u64 *out) {
    u64(*sums)[CLASSES * CLASSES][4] = (u64(*)[CLASSES * CLASSES][4])out;
    u64 factor[VALUES][MOST_CARDS + 1][PARTS];
    number product[VALUES + 1] = {{{1}}};
    uint32_t i = 0;
    int count = dragon21_polynomial_build();
    memset(out, 0, (MOST_CARDS + 1) * sizeof *sums);
    for (int column = 0; column < VALUES; column++)
        form_factors(values[9 - column], factor[column]);
    for (int m = 0; m < count; m++) {
        const entry *e = &entries[m];
        for (int column = e->first_change; column < VALUES; column++) {
            int c = e->count[column];
            number next = product[column];
            if (c > 0)
                next = times(next, factor[column][c][0]);
            if (c > PART_CARDS) {
                next = times(next, factor[column][c][1]);
                next = times(next, factor[column][c][2]);
            }
            product[column + 1] = next;
        }
        u64(*by_class)[4] = sums[e->cards];
        if (e->cards <= TWO_WORDS) {
            u128 ways = (u128)product[VALUES].word[1] << 64 | product[VALUES].word[0];
            for (; i < e->end; i++) {
                u64 *sum = by_class[classes[i]];
                u128 more = ((u128)sum[1] << 64 | sum[0]) + ways * coefficients[i];
                sum[0] = (u64)more;
                sum[1] = (u64)(more >> 64);
            }
        } else {
            for (; i < e->end; i++)
                add_to(by_class[classes[i]], times(product[VALUES], coefficients[i]));
        }
    }
}
