/* Rounds dealt one at a time in plain C: what a machine without vectors, or a simulator without the idea of lanes, can do.
 *
 * Cards are shuffled only as far as a round looks at them, six places from one random word: the high words of
 * u n, then of what is left times n - 1, and so on, are places below n, n - 1, ... all exactly uniform unless the last low
 * word falls below 2^64 mod n (n - 1) ... Baccarat is played without a jump, because every decision is a coin to the
 * processor's guess. */
#include "dealing.h"
#include <string.h>

static inline void six_places(stream *s, uint32_t number, uint32_t place[6]) {
    uint64_t ways = 1, low;
    for (uint32_t i = 0; i < 6; i++)
        ways *= number - i;
    do {
        low = next_word(s);
        for (uint32_t i = 0; i < 6; i++) {
            wide product = (wide)low * (number - i);
            place[i] = (uint32_t)(product >> 64);
            low = (uint64_t)product;
        }
    } while (__builtin_expect(low < ways, 0) && low < -ways % ways);
}

static inline void shuffle_six(stream *s, uint8_t *cards, uint32_t from, uint32_t number) {
    uint32_t place[6];
    six_places(s, number - from, place);
    for (uint32_t i = 0; i < 6; i++) {
        uint8_t card = cards[from + i];
        cards[from + i] = cards[from + i + place[i]];
        cards[from + i + place[i]] = card;
    }
}

static void shuffle(stream *s, uint8_t *cards, uint32_t number, uint32_t upto) {
    for (uint32_t from = 0; from < upto; from += 6)
        shuffle_six(s, cards, from, number);
}

static inline unsigned units(unsigned total) {
    static const uint8_t OF[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    return OF[total];
}

static inline unsigned baccarat_round(const uint8_t *rank, unsigned *used) {
    unsigned first = units(BACCARAT_VALUE[rank[0]] + BACCARAT_VALUE[rank[2]]);
    unsigned second = units(BACCARAT_VALUE[rank[1]] + BACCARAT_VALUE[rank[3]]);
    unsigned fifth = BACCARAT_VALUE[rank[4]], sixth = BACCARAT_VALUE[rank[5]];
    unsigned open = (first < 8) & (second < 8), draws = open & (first < 6);
    unsigned draws_too = open & (BANKER_DRAWS[second] >> (10 + draws * (fifth - 10)));
    first = units(first + draws * fifth);
    second = units(second + draws_too * (fifth + draws * (sixth - fifth)));
    *used = 4 + draws + draws_too;
    return (first * 10 + second) * 16 + draws * 8 + draws_too * 4 + (rank[0] == rank[2]) * 2 + (rank[1] == rank[3]);
}

void baccarat_fresh_plain(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t rounds, int decks, uint64_t *tally) {
    const uint32_t number = 52u * (uint32_t)decks;
    uint8_t rank_of[CARDS_MAX], rank[6];
    for (uint32_t i = 0; i < number; i++)
        rank_of[i] = i % 13;
    for (uint64_t block = first; block < first + blocks; block++) {
        stream s = stream_from(start_of(seed, block));
        uint32_t counts[BACCARAT_ENDINGS] = {0}, place[6];
        unsigned used;
        for (uint64_t round = 0; round < rounds; round++) {
            six_places(&s, number, place);
#pragma GCC unroll 6
            for (uint32_t i = 0; i < 6; i++) { /* the swaps of a shuffle, on paper: who was moved where */
                uint32_t card = place[i] += i;
#pragma GCC unroll 6
                for (int earlier = (int)i - 1; earlier >= 0; earlier--)
                    card = card == place[earlier] ? (uint32_t)earlier : card;
                rank[i] = rank_of[card];
            }
            counts[baccarat_round(rank, &used)]++;
        }
        for (int i = 0; i < BACCARAT_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

void baccarat_shoes_plain(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t shoes, int decks, int cut, uint64_t *tally) {
    const uint32_t number = 52u * (uint32_t)decks, end = number - (uint32_t)cut;
    for (uint64_t block = first; block < first + blocks; block++) {
        stream s = stream_from(start_of(seed, block));
        uint8_t rank[CARDS_MAX + 8];
        uint32_t counts[BACCARAT_ENDINGS] = {0};
        unsigned used;
        for (uint32_t i = 0; i < number; i++)
            rank[i] = i % 13;
        for (uint64_t shoe = 0; shoe < shoes; shoe++) {
            shuffle(&s, rank, number, end + 6);
            for (uint32_t p = 0; p < end; p += used)
                counts[baccarat_round(rank + p, &used)]++;
        }
        for (int i = 0; i < BACCARAT_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

void one_card_fresh_plain(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t rounds, int decks, uint64_t *tally) {
    const uint32_t number = 52u * (uint32_t)decks;
    const uint64_t ways = (uint64_t)number * (number - 1);
    uint8_t rank_of[CARDS_MAX];
    for (uint32_t i = 0; i < number; i++)
        rank_of[i] = i % 13;
    for (uint64_t block = first; block < first + blocks; block++) {
        stream s = stream_from(start_of(seed, block));
        uint32_t counts[ONE_CARD_ENDINGS] = {0};
        for (uint64_t round = 0; round < rounds; round++) {
            uint64_t low;
            uint32_t one, other;
            do {
                wide product = (wide)next_word(&s) * number;
                one = (uint32_t)(product >> 64);
                product = (wide)(uint64_t)product * (number - 1);
                other = (uint32_t)(product >> 64);
                low = (uint64_t)product;
            } while (__builtin_expect(low < ways, 0) && low < -ways % ways);
            other += other >= one;
            counts[rank_of[one] * 13 + rank_of[other]]++;
        }
        for (int i = 0; i < ONE_CARD_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

void one_card_shoes_plain(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t shoes, int decks, int cut, uint64_t *tally) {
    const uint32_t number = 52u * (uint32_t)decks, end = number - (uint32_t)cut;
    for (uint64_t block = first; block < first + blocks; block++) {
        stream s = stream_from(start_of(seed, block));
        uint8_t rank[CARDS_MAX + 8];
        uint32_t counts[ONE_CARD_ENDINGS] = {0};
        for (uint32_t i = 0; i < number; i++)
            rank[i] = i % 13;
        for (uint64_t shoe = 0; shoe < shoes; shoe++) {
            shuffle(&s, rank, number, end + 6);
            for (uint32_t p = 0; p < end; p += 2)
                counts[rank[p] * 13 + rank[p + 1]]++;
        }
        for (int i = 0; i < ONE_CARD_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

typedef struct {
    unsigned hard, ace, total;
} hand;

static inline void give(hand *h, unsigned rank) {
    h->hard += TWENTY_ONE_VALUE[rank];
    h->ace |= rank == 0;
    h->total = h->hard + ((h->ace & (h->hard <= 11)) ? 10 : 0);
}

static inline unsigned pair_mark(unsigned one, unsigned other) { /* cards are rank * 4 + suit; 0 and 3 are black */
    if (one >> 2 != other >> 2)
        return 0;
    return one == other ? 3 : (one ^ other) == 3 ? 2 : 1;
}

static inline unsigned ending_of(const uint8_t *card, unsigned total, unsigned total_too) {
    return ((total - 4) * 24 + total_too - 4) * 16 + pair_mark(card[0], card[2]) * 4 + pair_mark(card[1], card[3]);
}

void twenty_one_fresh_plain(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t rounds, int decks, uint64_t *tally) {
    const uint32_t number = 52u * (uint32_t)decks;
    for (uint64_t block = first; block < first + blocks; block++) {
        stream s = stream_from(start_of(seed, block));
        uint8_t card[CARDS_MAX + 8];
        uint32_t counts[TWENTY_ONE_ENDINGS];
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < number; i++)
            card[i] = i % 52;
        for (uint64_t round = 0; round < rounds; round++) {
            uint32_t ready = 6, p = 4;
            shuffle_six(&s, card, 0, number);
            hand dragon = {0}, tiger = {0};
            give(&dragon, card[0] >> 2);
            give(&tiger, card[1] >> 2);
            give(&dragon, card[2] >> 2);
            give(&tiger, card[3] >> 2);
            if (dragon.total == 21 || tiger.total == 21) {
                dragon.total += (dragon.total == 21) * 6;
                tiger.total += (tiger.total == 21) * 6;
            } else {
                for (hand *h = &dragon;; h = &tiger) {
                    while (h->total < 17) {
                        if (p == ready) {
                            shuffle_six(&s, card, ready, number);
                            ready += 6;
                        }
                        give(h, card[p++] >> 2);
                    }
                    if (h == &tiger)
                        break;
                }
            }
            counts[ending_of(card, dragon.total, tiger.total)]++;
        }
        for (int i = 0; i < TWENTY_ONE_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

void twenty_one_shoes_plain(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t shoes, int decks, int cut, uint64_t *tally) {
    const uint32_t number = 52u * (uint32_t)decks, end = number - (uint32_t)cut;
    for (uint64_t block = first; block < first + blocks; block++) {
        stream s = stream_from(start_of(seed, block));
        uint8_t card[CARDS_MAX + 8];
        uint32_t counts[TWENTY_ONE_ENDINGS];
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < number; i++)
            card[i] = i % 52;
        for (uint64_t shoe = 0; shoe < shoes; shoe++) {
            shuffle(&s, card, number, end + 24);
            for (uint32_t p = 0; p < end;) {
                const uint8_t *c = card + p;
                uint32_t used = 4;
                hand dragon = {0}, tiger = {0};
                give(&dragon, c[0] >> 2);
                give(&tiger, c[1] >> 2);
                give(&dragon, c[2] >> 2);
                give(&tiger, c[3] >> 2);
                if (dragon.total == 21 || tiger.total == 21) {
                    dragon.total += (dragon.total == 21) * 6;
                    tiger.total += (tiger.total == 21) * 6;
                } else {
                    while (dragon.total < 17)
                        give(&dragon, c[used++] >> 2);
                    while (tiger.total < 17)
                        give(&tiger, c[used++] >> 2);
                }
                counts[ending_of(c, dragon.total, tiger.total)]++;
                p += used;
            }
        }
        for (int i = 0; i < TWENTY_ONE_ENDINGS; i++)
            tally[i] += counts[i];
    }
}
