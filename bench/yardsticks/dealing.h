/* What both ways to deal in C have in common: random words by block, and the rules of the three games.
 *
 * Block b of a run with seed s has a stream of its own: splitmix64 over a mix of s and b gives the states of xoshiro256++.
 * The endings are numbered as the package numbers them. */
#ifndef DEALING_H
#define DEALING_H
#include <stdint.h>

enum { BACCARAT_ENDINGS = 1600, ONE_CARD_ENDINGS = 169, TWENTY_ONE_ENDINGS = 9216, CARDS_MAX = 10 * 52 };

typedef unsigned __int128 wide;

static inline uint64_t split(uint64_t *state) {
    uint64_t word = *state += 0x9E3779B97F4A7C15u;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    return word ^ word >> 31;
}

static inline uint64_t start_of(uint64_t seed, uint64_t block) {
    uint64_t mixed = split(&seed) ^ (block * 0xD1342543DE82EF95u + 0x632BE59BD9B4E019u);
    return split(&mixed);
}

typedef struct {
    uint64_t a, b, c, d;
} stream;

static inline stream stream_from(uint64_t start) {
    stream made;
    made.a = split(&start);
    made.b = split(&start);
    made.c = split(&start);
    made.d = split(&start);
    return made;
}

static inline uint64_t turned(uint64_t word, int places) { return word << places | word >> (64 - places); }

static inline uint64_t next_word(stream *s) {
    uint64_t drawn = turned(s->a + s->d, 23) + s->a, shifted = s->b << 17;
    s->c ^= s->a;
    s->d ^= s->b;
    s->b ^= s->c;
    s->a ^= s->d;
    s->c ^= shifted;
    s->d = turned(s->d, 45);
    return drawn;
}

/* Against which third cards of Player Banker draws, by Banker's total: a bit for each value, bit 10 where Player stood. */
static const uint16_t BANKER_DRAWS[16] = {0x7FF, 0x7FF, 0x7FF, 0x6FF, 0x4FC, 0x4F0, 0x0C0};
static const uint8_t BACCARAT_VALUE[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const uint8_t TWENTY_ONE_VALUE[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10};

/* Which pair two cards of one rank are, from the suits of that rank which nobody has seen: two of them go.
 * Suits 0 and 3 are black, 1 and 2 red. */
static inline unsigned pair_of(stream *s, uint8_t left[4]) {
    uint64_t cards = left[0] + left[1] + left[2] + left[3], ways = cards * (cards - 1), rest;
    unsigned place[2], suit[2];
    do {
        wide product = (wide)next_word(s) * cards;
        place[0] = (unsigned)(product >> 64);
        product = (wide)(uint64_t)product * (cards - 1);
        place[1] = (unsigned)(product >> 64);
        rest = (uint64_t)product;
    } while (rest < ways && rest < -ways % ways);
    for (int i = 0; i < 2; i++) {
        unsigned one = left[0], two = one + left[1], three = two + left[2];
        suit[i] = (place[i] >= one) + (place[i] >= two) + (place[i] >= three);
        left[suit[i]]--;
    }
    return suit[0] == suit[1] ? 3 : (suit[0] ^ suit[1]) == 3 ? 2 : 1;
}
#endif
