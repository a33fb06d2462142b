/* Rounds dealt side by side in the lanes of AVX2, written by hand: the yardstick of the simulator.
 *
 * Fresh shoes of baccarat and of one card: places in the shoe are drawn for every card a round could take, and the round is
 * thrown away when two coincide or one is not exactly uniform.
 * Shoe by shoe, and twenty-one: sixteen shoes ride in sixteen lanes, each as the number of cards up to every rank but the
 * last. Where that number is above the place drawn, the card is at or before the rank: the comparison is the search for
 * the rank and, added, the removal of the card. Every place of a dealt shoe is played as if a round began there, and a walk
 * visits the places where one does. Suits are drawn for pairs alone. */
#ifdef __AVX2__
#include "dealing.h"
#include <immintrin.h>
#include <string.h>

typedef uint8_t bytes __attribute__((vector_size(32)));
typedef int8_t signed_bytes __attribute__((vector_size(32)));
typedef uint16_t lanes __attribute__((vector_size(32)));
typedef int16_t signed_lanes __attribute__((vector_size(32)));
typedef uint64_t words __attribute__((vector_size(32)));

enum { ROWS = CARDS_MAX + 64 };
#define ALIGNED __attribute__((aligned(32)))

typedef struct {
    words a, b, c, d;
} streams;

static streams streams_from(uint64_t start) {
    uint64_t state[4][4];
    for (int generator = 0; generator < 4; generator++)
        for (int word = 0; word < 4; word++)
            state[word][generator] = split(&start);
    streams made;
    memcpy(&made, state, sizeof made);
    return made;
}

static inline words turn(words word, int places) { return word << places | word >> (64 - places); }

static inline lanes draw(streams *s) {
    words drawn = turn(s->a + s->d, 23) + s->a, shifted = s->b << 17;
    s->c ^= s->a;
    s->d ^= s->b;
    s->b ^= s->c;
    s->a ^= s->d;
    s->c ^= shifted;
    s->d = turn(s->d, 45);
    return (lanes)drawn;
}

static inline bytes all_bytes(int value) { return (bytes)_mm256_set1_epi8((char)value); }
static inline lanes all_lanes(int value) { return (lanes)_mm256_set1_epi16((short)value); }
static inline lanes high(lanes a, lanes b) { return (lanes)_mm256_mulhi_epu16((__m256i)a, (__m256i)b); }
static inline bytes look(bytes table, bytes places) { return (bytes)_mm256_shuffle_epi8((__m256i)table, (__m256i)places); }
static inline bytes pick(bytes otherwise, bytes where, bytes mask) {
    return (bytes)_mm256_blendv_epi8((__m256i)otherwise, (__m256i)where, (__m256i)mask);
}
static inline lanes pick_lanes(lanes otherwise, lanes where, lanes mask) {
    return (lanes)pick((bytes)otherwise, (bytes)where, (bytes)mask);
}
static inline unsigned marks(bytes mask) { return (unsigned)_mm256_movemask_epi8((__m256i)mask); }
static inline bytes above(bytes a, bytes b) { return (bytes)((signed_bytes)a > (signed_bytes)b); }
static inline lanes above_lanes(lanes a, lanes b) { return (lanes)((signed_lanes)a > (signed_lanes)b); }
static inline lanes at_most(lanes a, lanes b) {
    return (lanes)_mm256_cmpeq_epi16(_mm256_min_epu16((__m256i)a, (__m256i)b), (__m256i)a);
}
static inline bytes units(bytes total) {
    return (bytes)_mm256_min_epu8((__m256i)total, (__m256i)(total - all_bytes(10)));
}
static inline bytes table(const uint8_t entries[16]) {
    return (bytes)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)entries));
}
static inline bytes at(const uint8_t *place) { return (bytes)_mm256_loadu_si256((const __m256i *)place); }
#define put(place, value) _mm256_storeu_si256((__m256i *)(place), (__m256i)*(value))

/* ------------------------------------------------ cards out of sixteen shoes */

typedef struct {
    lanes upto[12];
} shoes16;

static inline void fill_shoes(shoes16 *shoes, int decks) {
    for (int rank = 0; rank < 12; rank++)
        shoes->upto[rank] = all_lanes(4 * decks * (rank + 1));
}

static inline lanes place_below(streams *s, int number, int remainder) {
    lanes limit = all_lanes(number), least = all_lanes(remainder), word, low;
    do {
        word = draw(s);
        low = word * limit;
    } while (__builtin_expect(marks((bytes)at_most(least, low)) != 0xFFFFFFFFu, 0));
    return high(word, limit);
}

static inline lanes take(shoes16 *shoes, lanes place) {
    lanes rank = all_lanes(12);
#pragma GCC unroll 12
    for (int each = 0; each < 12; each++) {
        lanes beyond = above_lanes(shoes->upto[each], place);
        shoes->upto[each] += beyond;
        rank += beyond;
    }
    return rank;
}

static void remainders(uint16_t *restrict left, int number, int cards) {
    for (int card = 0; card < cards; card++)
        left[card] = (uint16_t)(65536 % (number - card));
}

static inline void deal_sixteen(streams *s, int decks, int need, const uint16_t *restrict left, uint8_t *restrict ranks) {
    shoes16 shoes;
    fill_shoes(&shoes, decks);
    for (int card = 0; card < need; card += 2) {
        lanes one = take(&shoes, place_below(s, 52 * decks - card, left[card]));
        lanes two = take(&shoes, place_below(s, 52 * decks - card - 1, left[card + 1]));
        __m256i packed = _mm256_packus_epi16((__m256i)one, (__m256i)two);
        _mm256_storeu_si256((__m256i *)(ranks + 16 * card), _mm256_permute4x64_epi64(packed, 0xD8));
    }
}

/* ------------------------------------------------ baccarat */

typedef struct {
    bytes value, against_low, against_high, bit, tenfold;
} baccarat_rules;

static baccarat_rules rules_of_baccarat(void) {
    uint8_t low[16], upper[16], bit[16], tenfold[16] = {0};
    for (int i = 0; i < 16; i++) {
        low[i] = BANKER_DRAWS[i] & 255;
        upper[i] = BANKER_DRAWS[i] >> 8;
        bit[i] = (uint8_t)(1 << (i & 7));
        if (i < 10)
            tenfold[i] = (uint8_t)(10 * i);
    }
    return (baccarat_rules){table(BACCARAT_VALUE), table(low), table(upper), table(bit), table(tenfold)};
}

typedef struct {
    bytes totals, flags, used;
} played;

static inline played play(const baccarat_rules *rules, const bytes v[6], bytes pair, bytes pair_too) {
    bytes first = units(v[0] + v[2]), second = units(v[1] + v[3]);
    bytes highest = (bytes)_mm256_max_epu8((__m256i)first, (__m256i)second);
    bytes open = above(all_bytes(8), highest), draws = open & above(all_bytes(6), first);
    bytes third = pick(all_bytes(10), v[4], draws);
    bytes against = pick(look(rules->against_low, second), look(rules->against_high, second), above(third, all_bytes(7)));
    bytes bit = look(rules->bit, third), draws_too = open & (bytes)((against & bit) == bit);
    first = units(first + (v[4] & draws));
    second = units(second + (pick(v[4], v[5], draws) & draws_too));
    played ended;
    ended.totals = look(rules->tenfold, first) + second;
    ended.flags = (draws & 0x80) | (draws_too & 0x40) | (pair & 0x20) | (pair_too & 0x10);
    ended.used = all_bytes(4) - (draws + draws_too);
    return ended;
}

static inline lanes low_codes(played ended) {
    return (lanes)_mm256_srli_epi16(_mm256_unpacklo_epi8((__m256i)ended.flags, (__m256i)ended.totals), 4);
}
static inline lanes high_codes(played ended) {
    return (lanes)_mm256_srli_epi16(_mm256_unpackhi_epi8((__m256i)ended.flags, (__m256i)ended.totals), 4);
}
static inline void put_codes(uint16_t *place, lanes low, lanes upper) {
    _mm256_storeu_si256((__m256i *)place, _mm256_permute2x128_si256((__m256i)low, (__m256i)upper, 0x20));
    _mm256_storeu_si256((__m256i *)(place + 16), _mm256_permute2x128_si256((__m256i)low, (__m256i)upper, 0x31));
}

/* Blocks `first` to `first + blocks - 1` of so many rounds each, into the tally. */
void baccarat_fresh_lanes(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t rounds, int decks, uint64_t *tally) {
    const int number = 52 * decks;
    const lanes cards = all_lanes(number), refused = all_lanes(65536 % number - 1);
    const lanes per_rank = all_lanes((65536 + 4 * decks - 1) / (4 * decks));
    const baccarat_rules rules = rules_of_baccarat();
    for (uint64_t block = first; block < first + blocks; block++) {
        streams s = streams_from(start_of(seed, block));
        uint32_t counts[BACCARAT_ENDINGS + 16] = {0};
        uint16_t codes[32] __attribute__((aligned(32)));
        for (uint64_t left = rounds; left;) {
            lanes rank[2][6], bad[2];
            for (int half = 0; half < 2; half++) {
                bad[half] = (lanes){0};
                for (int card = 0; card < 6; card++) {
                    lanes word = draw(&s);
                    rank[half][card] = high(word, cards);
                    bad[half] |= at_most(word * cards, refused);
                }
                for (int card = 1; card < 6; card++)
                    for (int other = 0; other < card; other++)
                        bad[half] |= (lanes)(rank[half][card] == rank[half][other]);
                for (int card = 0; card < 6; card++)
                    rank[half][card] = high(rank[half][card], per_rank);
            }
            bytes card[6], value[6];
            for (int i = 0; i < 6; i++) {
                card[i] = (bytes)_mm256_packus_epi16((__m256i)rank[0][i], (__m256i)rank[1][i]);
                value[i] = look(rules.value, card[i]);
            }
            bytes refuse = (bytes)_mm256_packs_epi16((__m256i)bad[0], (__m256i)bad[1]);
            played ended = play(&rules, value, (bytes)(card[0] == card[2]), (bytes)(card[1] == card[3]));
            ended.totals = pick(ended.totals, all_bytes(100), refuse);
            lanes low = low_codes(ended), upper = high_codes(ended);
            put(codes, &low);
            put(codes + 16, &upper);
            uint64_t good = 32 - (uint64_t)__builtin_popcount(marks(refuse));
            if (__builtin_expect(good <= left, 1)) {
#pragma GCC unroll 32
                for (int i = 0; i < 32; i++)
                    counts[codes[i]]++;
                left -= good;
            } else {
                for (int i = 0; i < 32 && left; i++)
                    if (codes[i] < BACCARAT_ENDINGS) {
                        counts[codes[i]]++;
                        left--;
                    }
            }
        }
        for (int i = 0; i < BACCARAT_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

/* The same for shoes, a multiple of sixteen, with `cut` cards behind the cutting card. */
void baccarat_shoes_lanes(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t shoes, int decks, int cut, uint64_t *tally) {
    const int number = 52 * decks, end = number - cut, need = (end + 7) & ~1;
    const baccarat_rules rules = rules_of_baccarat();
    ALIGNED uint8_t ranks[16 * ROWS], values[16 * ROWS], used[16 * ROWS];
    ALIGNED uint16_t codes[16 * ROWS];
    uint16_t left[ROWS];
    remainders(left, number, need);
    for (uint64_t block = first; block < first + blocks; block++) {
        streams s = streams_from(start_of(seed, block));
        uint32_t counts[BACCARAT_ENDINGS] = {0};
        for (uint64_t shoe = 0; shoe < shoes; shoe += 16) {
            deal_sixteen(&s, decks, need, left, ranks);
            for (int i = 0; i < 16 * need; i += 32) {
                bytes value = look(rules.value, at(ranks + i));
                put(values + i, &value);
            }
            for (int i = 0; i < 16 * end; i += 32) {
                const uint8_t *v = values + i, *r = ranks + i;
                const bytes value[6] = {at(v), at(v + 16), at(v + 32), at(v + 48), at(v + 64), at(v + 80)};
                played ended = play(&rules, value, (bytes)(at(r) == at(r + 32)), (bytes)(at(r + 16) == at(r + 48)));
                put_codes(codes + i, low_codes(ended), high_codes(ended));
                put(used + i, &ended.used);
            }
            const uint32_t border = (uint32_t)(16 * end);
            for (uint32_t lane = 0; lane < 16; lane += 4) { /* four walks, so that none waits for the other's memory */
                uint32_t p = lane, q = lane + 1, r = lane + 2, t = lane + 3;
                while ((p < border) & (q < border) & (r < border) & (t < border)) {
                    counts[codes[p]]++;
                    counts[codes[q]]++;
                    counts[codes[r]]++;
                    counts[codes[t]]++;
                    p += 16u * used[p];
                    q += 16u * used[q];
                    r += 16u * used[r];
                    t += 16u * used[t];
                }
                const uint32_t rest[4] = {p, q, r, t};
                for (int i = 0; i < 4; i++)
                    for (uint32_t place = rest[i]; place < border; place += 16u * used[place])
                        counts[codes[place]]++;
            }
        }
        for (int i = 0; i < BACCARAT_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

/* ------------------------------------------------ one card */

enum { COPIES = 4, COPY = 176 }; /* of the counts: two rounds that end alike do not wait for each other */

static void add_copies(uint64_t *tally, const uint32_t counts[COPIES][COPY]) {
    for (int i = 0; i < ONE_CARD_ENDINGS; i++)
        for (int copy = 0; copy < COPIES; copy++)
            tally[i] += counts[copy][i];
}

void one_card_fresh_lanes(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t rounds, int decks, uint64_t *tally) {
    const int number = 52 * decks;
    const lanes cards = all_lanes(number), refused = all_lanes(65536 % number - 1), thirteen = all_lanes(13);
    const lanes per_rank = all_lanes((65536 + 4 * decks - 1) / (4 * decks));
    for (uint64_t block = first; block < first + blocks; block++) {
        streams s = streams_from(start_of(seed, block));
        uint32_t counts[COPIES][COPY] = {{0}};
        uint16_t codes[16] __attribute__((aligned(32)));
        for (uint64_t left = rounds; left;) {
            lanes u = draw(&s), w = draw(&s), one = high(u, cards), other = high(w, cards);
            lanes low = (lanes)_mm256_min_epu16((__m256i)(u * cards), (__m256i)(w * cards));
            lanes bad = (lanes)(one == other) | at_most(low, refused);
            lanes code = high(one, per_rank) * thirteen + high(other, per_rank);
            code = pick_lanes(code, all_lanes(ONE_CARD_ENDINGS), bad);
            put(codes, &code);
            uint64_t good = 16 - (uint64_t)__builtin_popcount(marks((bytes)bad)) / 2;
            if (__builtin_expect(good <= left, 1)) {
#pragma GCC unroll 16
                for (int i = 0; i < 16; i++)
                    counts[i & 3][codes[i]]++;
                left -= good;
            } else {
                for (int i = 0; i < 16 && left; i++)
                    if (codes[i] < ONE_CARD_ENDINGS) {
                        counts[0][codes[i]]++;
                        left--;
                    }
            }
        }
        add_copies(tally, counts);
    }
}

void one_card_shoes_lanes(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t shoes, int decks, int cut, uint64_t *tally) {
    const int number = 52 * decks, need = (number - cut + 1) & ~1;
    uint16_t left[ROWS], codes[16] __attribute__((aligned(32)));
    remainders(left, number, need);
    for (uint64_t block = first; block < first + blocks; block++) {
        streams s = streams_from(start_of(seed, block));
        uint32_t counts[COPIES][COPY] = {{0}};
        for (uint64_t shoe = 0; shoe < shoes; shoe += 16) {
            shoes16 cards;
            fill_shoes(&cards, decks);
            for (int card = 0; card < need; card += 2) {
                lanes one = take(&cards, place_below(&s, number - card, left[card]));
                lanes code = one * 13 + take(&cards, place_below(&s, number - card - 1, left[card + 1]));
                put(codes, &code);
#pragma GCC unroll 16
                for (int i = 0; i < 16; i++)
                    counts[i & 3][codes[i]]++;
            }
        }
        add_copies(tally, counts);
    }
}

/* ------------------------------------------------ twenty-one */

static inline lanes value_of(lanes rank) {
    return (lanes)_mm256_min_epi16((__m256i)rank, (__m256i)all_lanes(9)) + all_lanes(1);
}
static inline lanes best(lanes hard, lanes ace) { return hard + (ace & above_lanes(all_lanes(12), hard) & all_lanes(10)); }
static inline bytes best_bytes(bytes hard, bytes ace) { return hard + (ace & above(all_bytes(12), hard) & all_bytes(10)); }
static inline lanes kind_of(lanes partner, int decks) {
    return all_lanes(1) - (above_lanes(all_lanes(decks - 1), partner) + above_lanes(all_lanes(2 * decks - 1), partner));
}

void twenty_one_fresh_lanes(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t rounds, int decks, uint64_t *tally) {
    const int number = 52 * decks, partners = 4 * decks - 1, share = 65536 % partners;
    const lanes none = (lanes){0};
    uint16_t left[32];
    remainders(left, number, 32);
    for (uint64_t block = first; block < first + blocks; block++) {
        streams s = streams_from(start_of(seed, block));
        stream suits = stream_from(~start_of(seed, block));
        uint32_t counts[TWENTY_ONE_ENDINGS];
        memset(counts, 0, sizeof counts);
        uint16_t codes[16] __attribute__((aligned(32))), alike[16] __attribute__((aligned(32)));
        for (uint64_t missing = rounds; missing;) {
            shoes16 shoes;
            fill_shoes(&shoes, decks);
            lanes card[4];
            for (int i = 0; i < 4; i++)
                card[i] = take(&shoes, place_below(&s, number - i, left[i]));
            lanes hard = value_of(card[0]) + value_of(card[2]), hard_too = value_of(card[1]) + value_of(card[3]);
            lanes ace = (lanes)(card[0] == none) | (lanes)(card[2] == none);
            lanes ace_too = (lanes)(card[1] == none) | (lanes)(card[3] == none);
            lanes total = best(hard, ace), total_too = best(hard_too, ace_too);
            lanes jack = (lanes)(total == all_lanes(21)), jack_too = (lanes)(total_too == all_lanes(21));
            lanes over = jack | jack_too, pair = (lanes)(card[0] == card[2]), pair_too = (lanes)(card[1] == card[3]);
            total += jack & all_lanes(6);
            total_too += jack_too & all_lanes(6);
            for (int dealt = 4;; dealt++) {
                lanes draws = ~over & above_lanes(all_lanes(17), total);
                lanes draws_too = ~(over | draws) & above_lanes(all_lanes(17), total_too);
                if (!marks((bytes)(draws | draws_too)))
                    break;
                lanes rank = take(&shoes, place_below(&s, number - dealt, left[dealt]));
                lanes value = value_of(rank), is_ace = (lanes)(rank == none);
                hard += value & draws;
                ace |= is_ace & draws;
                hard_too += value & draws_too;
                ace_too |= is_ace & draws_too;
                total = pick_lanes(total, best(hard, ace), draws);
                total_too = pick_lanes(total_too, best(hard_too, ace_too), draws_too);
            }
            lanes partner = place_below(&s, partners, share), partner_too = place_below(&s, partners, share);
            lanes code = ((total - 4) * 24 + (total_too - 4)) << 4;
            code += (pair & kind_of(partner, decks) << 2) + (pair_too & kind_of(partner_too, decks));
            put(codes, &code);
            lanes four = pair & pair_too & (lanes)(card[0] == card[1]);
            if (__builtin_expect(marks((bytes)four) != 0, 0)) {
                put(alike, &four);
                for (int i = 0; i < 16; i++)
                    if (alike[i]) {
                        uint8_t unseen[4] = {(uint8_t)decks, (uint8_t)decks, (uint8_t)decks, (uint8_t)decks};
                        unsigned kind = pair_of(&suits, unseen);
                        codes[i] = (uint16_t)((codes[i] & ~15u) + 4 * kind + pair_of(&suits, unseen));
                    }
            }
            int some = missing < 16 ? (int)missing : 16;
            missing -= (uint64_t)some;
            if (some == 16)
#pragma GCC unroll 16
                for (int i = 0; i < 16; i++)
                    counts[codes[i]]++;
            else
                for (int i = 0; i < some; i++)
                    counts[codes[i]]++;
        }
        for (int i = 0; i < TWENTY_ONE_ENDINGS; i++)
            tally[i] += counts[i];
    }
}

static inline lanes ending_lanes(bytes total, bytes total_too, bytes pairs, int upper) {
    const __m256i zero = _mm256_setzero_si256();
#define WIDENED(x) (lanes)(upper ? _mm256_unpackhi_epi8((__m256i)(x), zero) : _mm256_unpacklo_epi8((__m256i)(x), zero))
    return ((WIDENED(total) * 24 + WIDENED(total_too)) << 4) + (WIDENED(pairs) << 14);
}

void twenty_one_shoes_lanes(uint64_t seed, uint64_t first, uint64_t blocks, uint64_t shoes, int decks, int cut, uint64_t *tally) {
    const int number = 52 * decks, end = number - cut, need = (end + 25) & ~1;
    const bytes value_table = table(TWENTY_ONE_VALUE);
    ALIGNED uint8_t ranks[16 * ROWS], values[16 * ROWS], used[16 * ROWS];
    ALIGNED uint16_t codes[16 * ROWS];
    uint16_t left[ROWS];
    remainders(left, number, need);
    for (uint64_t block = first; block < first + blocks; block++) {
        streams s = streams_from(start_of(seed, block));
        stream suits = stream_from(~start_of(seed, block));
        uint32_t counts[TWENTY_ONE_ENDINGS];
        memset(counts, 0, sizeof counts);
        for (uint64_t shoe = 0; shoe < shoes; shoe += 16) {
            deal_sixteen(&s, decks, need, left, ranks);
            for (int i = 0; i < 16 * need; i += 32) {
                bytes value = look(value_table, at(ranks + i));
                put(values + i, &value);
            }
            for (int i = 0; i < 16 * end; i += 32) {
                const uint8_t *v = values + i, *r = ranks + i;
                bytes one = all_bytes(1), d1 = at(v), t1 = at(v + 16), d2 = at(v + 32), t2 = at(v + 48);
                bytes hard = d1 + d2, hard_too = t1 + t2;
                bytes ace = (bytes)(d1 == one) | (bytes)(d2 == one), ace_too = (bytes)(t1 == one) | (bytes)(t2 == one);
                bytes total = best_bytes(hard, ace), total_too = best_bytes(hard_too, ace_too);
                bytes jack = (bytes)(total == all_bytes(21)), jack_too = (bytes)(total_too == all_bytes(21)), over = jack | jack_too;
                bytes pairs = ((bytes)(at(r) == at(r + 32)) & 1) | ((bytes)(at(r + 16) == at(r + 48)) & 2), taken = all_bytes(4);
                total += jack & 6;
                total_too += jack_too & 6;
                for (v += 64;; v += 16) {
                    bytes draws = ~over & above(all_bytes(17), total);
                    bytes draws_too = ~(over | draws) & above(all_bytes(17), total_too), drawn = draws | draws_too;
                    if (!marks(drawn))
                        break;
                    bytes value = at(v), is_ace = (bytes)(value == one);
                    hard += value & draws;
                    ace |= is_ace & draws;
                    hard_too += value & draws_too;
                    ace_too |= is_ace & draws_too;
                    total = pick(total, best_bytes(hard, ace), draws);
                    total_too = pick(total_too, best_bytes(hard_too, ace_too), draws_too);
                    taken -= drawn;
                }
                put(used + i, &taken);
                total -= 4;
                total_too -= 4;
                put_codes(codes + i, ending_lanes(total, total_too, pairs, 0), ending_lanes(total, total_too, pairs, 1));
            }
            const uint32_t border = (uint32_t)(16 * end);
            for (uint32_t lane = 0; lane < 16; lane++) { /* rounds with a pair wait for their suits */
                uint8_t unseen[13][4];
                uint32_t waiting[CARDS_MAX / 4 + 8], pairs = 0;
                memset(unseen, decks, sizeof unseen);
                for (uint32_t p = lane; p < border; p += 16u * used[p]) {
                    unsigned code = codes[p], paired = code > 0x3FFF;
                    waiting[pairs] = p;
                    pairs += paired;
                    counts[code & 0x3FFF] += !paired;
                }
                for (uint32_t i = 0; i < pairs; i++) {
                    uint32_t p = waiting[i];
                    unsigned code = codes[p], ending = code & 0x3FFF;
                    if (code & 0x4000)
                        ending += 4 * pair_of(&suits, unseen[ranks[p]]);
                    if (code & 0x8000)
                        ending += pair_of(&suits, unseen[ranks[p + 16]]);
                    counts[ending]++;
                }
            }
        }
        for (int i = 0; i < TWENTY_ONE_ENDINGS; i++)
            tally[i] += counts[i];
    }
}
#else
typedef int no_avx2;
#endif
