/* Exact numbers of baccarat deals that Player and Banker win, for many shoes.
 *
 * A deal of six cards uses some multiset c of values, c[v] cards of value v, and the number of ways to draw those
 * from the shoe is the product over v of n[v] (n[v]-1) .. (n[v]-c[v]+1). Hence a count of deals is a polynomial
 * in the ten counts n, with one coefficient for each of the 5005 multisets: how many orders of those six values
 * end the round in the wanted way. The coefficients depend on the rules alone and are found once, by playing all
 * million sequences of six values.
 *
 * The values are cut into two halves, 0 to 4 and 5 to 9. Each half has 462 multisets of at most six cards, whose
 * products are formed once per shoe; a coefficient belongs to a pair of them whose sizes add up to six. So the
 * polynomial is a sum of seven products, row times matrix times column, one for each split of six.
 *
 * Eight shoes are done at a time, one in each lane of two vectors. The integers are held in doubles and exact
 * while the number of all deals is below 2 to the 53rd, which is up to 458 cards. */
#include <stdint.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(32)));

enum { CARDS = 6, HALF_VALUES = 5, MULTISETS = 462, COEFFICIENTS = 5005, SHOES = 8, VECTORS = 2 };

/* The multisets of one half, ordered by size. Each is an earlier one (its values below `value`) times `count`
 * cards of `value`, so that its product costs one multiplication. */
typedef struct {
    int earlier;
    int value;
    int count;
} multiset;

static multiset multisets[MULTISETS];
static int first_of_size[CARDS + 2];

/* One split of six cards. The half with fewer multisets gives the rows, because a long inner loop is cheaper. */
typedef struct {
    int row_half;
    int first_row, rows;
    int first_column, columns;
    int first_coefficient;
} split;

static split splits[CARDS + 1];
static double player_coefficients[COEFFICIENTS] __attribute__((aligned(64)));
static double banker_coefficients[COEFFICIENTS] __attribute__((aligned(64)));

/* The counts of five values, each at most six, as one number. */
static int code_of(const int count[HALF_VALUES]) {
    int code = 0;
    for (int v = 0; v < HALF_VALUES; v++)
        code = code * 7 + count[v];
    return code;
}

static int index_of_code[7 * 7 * 7 * 7 * 7];
static int multisets_found;

/* Appends, in order, the multisets that give the values from `value` on exactly `left` more cards. */
static void list_multisets(int count[HALF_VALUES], int value, int left) {
    if (value < HALF_VALUES - 1) {
        for (count[value] = 0; count[value] <= left; count[value]++)
            list_multisets(count, value + 1, left - count[value]);
        count[value] = 0;
        return;
    }
    count[value] = left;
    int last = HALF_VALUES - 1;
    while (last > 0 && count[last] == 0)
        last--;
    int cards_of_last = count[last];
    index_of_code[code_of(count)] = multisets_found;
    count[last] = 0;
    multisets[multisets_found].earlier = index_of_code[code_of(count)];
    multisets[multisets_found].value = last;
    multisets[multisets_found].count = cards_of_last;
    multisets_found++;
    count[last] = cards_of_last;
    count[value] = 0;
}

static int banker_draws(int total, int player_drew, int drawn) {
    if (!player_drew)
        return total <= 5;
    switch (total) {
    case 0:
    case 1:
    case 2:
        return 1;
    case 3:
        return drawn != 8;
    case 4:
        return drawn >= 2 && drawn <= 7;
    case 5:
        return drawn >= 4 && drawn <= 7;
    case 6:
        return drawn == 6 || drawn == 7;
    default:
        return 0;
    }
}

/* Positive when Player wins, negative when Banker does. The values come as Player, Banker, Player, Banker. */
static int play(const int value[CARDS]) {
    int player = (value[0] + value[2]) % 10;
    int banker = (value[1] + value[3]) % 10;
    if (player < 8 && banker < 8) {
        int player_drew = player <= 5;
        int next = player_drew ? value[5] : value[4];
        int banker_drew = banker_draws(banker, player_drew, value[4]);
        if (player_drew)
            player = (player + value[4]) % 10;
        if (banker_drew)
            banker = (banker + next) % 10;
    }
    return player - banker;
}

static int coefficient_of(const int count[2 * HALF_VALUES]) {
    int low_size = 0;
    for (int v = 0; v < HALF_VALUES; v++)
        low_size += count[v];
    const split *at = &splits[low_size];
    int index[2] = {index_of_code[code_of(count)], index_of_code[code_of(count + HALF_VALUES)]};
    int row = index[at->row_half] - at->first_row;
    int column = index[1 - at->row_half] - at->first_column;
    return at->first_coefficient + row * at->columns + column;
}

__attribute__((constructor)) static void prepare(void) {
    int none[HALF_VALUES] = {0};
    for (int size = 0; size <= CARDS; size++) {
        first_of_size[size] = multisets_found;
        list_multisets(none, 0, size);
    }
    first_of_size[CARDS + 1] = multisets_found;
    int coefficients = 0;
    for (int low_size = 0; low_size <= CARDS; low_size++) {
        split *at = &splits[low_size];
        int high_size = CARDS - low_size;
        int row_size = low_size < high_size ? low_size : high_size;
        int column_size = CARDS - row_size;
        at->row_half = low_size > high_size;
        at->first_row = first_of_size[row_size];
        at->rows = first_of_size[row_size + 1] - first_of_size[row_size];
        at->first_column = first_of_size[column_size];
        at->columns = first_of_size[column_size + 1] - first_of_size[column_size];
        at->first_coefficient = coefficients;
        coefficients += at->rows * at->columns;
    }
    for (int sequence = 0; sequence < 1000000; sequence++) {
        int value[CARDS];
        int count[2 * HALF_VALUES] = {0};
        int digits = sequence;
        for (int i = 0; i < CARDS; i++) {
            value[i] = digits % 10;
            digits /= 10;
            count[value[i]]++;
        }
        int result = play(value);
        if (result > 0)
            player_coefficients[coefficient_of(count)] += 1;
        if (result < 0)
            banker_coefficients[coefficient_of(count)] += 1;
    }
}

/* products[half][i]: the ways to draw multiset i of that half, for eight shoes. */
static void form_products(const double *values, lanes products[2][MULTISETS][VECTORS]) {
    lanes falling[2 * HALF_VALUES][CARDS + 1][VECTORS];
    const lanes one = {1, 1, 1, 1};
    for (int part = 0; part < VECTORS; part++) {
        const double *four = values + 4 * part * 10;
        for (int v = 0; v < 2 * HALF_VALUES; v++) {
            lanes left = {four[v], four[10 + v], four[20 + v], four[30 + v]};
            falling[v][0][part] = one;
            for (int c = 1; c <= CARDS; c++) {
                falling[v][c][part] = falling[v][c - 1][part] * left;
                left -= one;
            }
        }
    }
    for (int half = 0; half < 2; half++) {
        products[half][0][0] = one;
        products[half][0][1] = one;
        for (int i = 1; i < MULTISETS; i++) {
            const multiset *m = &multisets[i];
            const lanes *power = falling[HALF_VALUES * half + m->value][m->count];
            products[half][i][0] = products[half][m->earlier][0] * power[0];
            products[half][i][1] = products[half][m->earlier][1] * power[1];
        }
    }
}

/* values: ten counts for each shoe, value 0 first; k shoes, a multiple of 8. */
void baccarat_sweep(const double *values, int k, double *player, double *banker) {
    for (int shoe = 0; shoe < k; shoe += SHOES) {
        lanes products[2][MULTISETS][VECTORS];
        lanes player_wins[VECTORS] = {{0}}, banker_wins[VECTORS] = {{0}};
        form_products(values + 10 * shoe, products);
        for (int low_size = 0; low_size <= CARDS; low_size++) {
            const split *at = &splits[low_size];
            const lanes(*row)[VECTORS] = (const lanes(*)[VECTORS])(products[at->row_half] + at->first_row);
            const lanes(*column)[VECTORS] = (const lanes(*)[VECTORS])(products[1 - at->row_half] + at->first_column);
            const double *p = player_coefficients + at->first_coefficient;
            const double *b = banker_coefficients + at->first_coefficient;
            int columns = at->columns;
            int r = 0;
            /* Two rows, two winners and two vectors make eight sums, enough to keep both multipliers busy. */
            for (; r + 1 < at->rows; r += 2) {
                lanes p00 = {0}, p01 = {0}, p10 = {0}, p11 = {0};
                lanes b00 = {0}, b01 = {0}, b10 = {0}, b11 = {0};
                for (int c = 0; c < columns; c++) {
                    lanes c0 = column[c][0];
                    lanes c1 = column[c][1];
                    p00 += p[c] * c0;
                    p01 += p[c] * c1;
                    p10 += p[c + columns] * c0;
                    p11 += p[c + columns] * c1;
                    b00 += b[c] * c0;
                    b01 += b[c] * c1;
                    b10 += b[c + columns] * c0;
                    b11 += b[c + columns] * c1;
                }
                player_wins[0] += row[r][0] * p00 + row[r + 1][0] * p10;
                player_wins[1] += row[r][1] * p01 + row[r + 1][1] * p11;
                banker_wins[0] += row[r][0] * b00 + row[r + 1][0] * b10;
                banker_wins[1] += row[r][1] * b01 + row[r + 1][1] * b11;
                p += 2 * columns;
                b += 2 * columns;
            }
            /* The row left over: there the two halves of its columns take the place of two rows. */
            if (r < at->rows) {
                lanes p00 = {0}, p01 = {0}, p10 = {0}, p11 = {0};
                lanes b00 = {0}, b01 = {0}, b10 = {0}, b11 = {0};
                int half = columns / 2;
                for (int c = 0; c < half; c++) {
                    lanes c0 = column[c][0];
                    lanes c1 = column[c][1];
                    lanes d0 = column[c + half][0];
                    lanes d1 = column[c + half][1];
                    p00 += p[c] * c0;
                    p01 += p[c] * c1;
                    p10 += p[c + half] * d0;
                    p11 += p[c + half] * d1;
                    b00 += b[c] * c0;
                    b01 += b[c] * c1;
                    b10 += b[c + half] * d0;
                    b11 += b[c + half] * d1;
                }
                if (columns % 2) {
                    p00 += p[columns - 1] * column[columns - 1][0];
                    p01 += p[columns - 1] * column[columns - 1][1];
                    b00 += b[columns - 1] * column[columns - 1][0];
                    b01 += b[columns - 1] * column[columns - 1][1];
                }
                player_wins[0] += row[r][0] * (p00 + p10);
                player_wins[1] += row[r][1] * (p01 + p11);
                banker_wins[0] += row[r][0] * (b00 + b10);
                banker_wins[1] += row[r][1] * (b01 + b11);
            }
        }
        memcpy(player + shoe, player_wins, sizeof player_wins);
        memcpy(banker + shoe, banker_wins, sizeof banker_wins);
    }
}
