/* Men on a grid of ten by nine. */

static int8_t owner[POINTS], man[POINTS], kind[POINTS], row_of[POINTS], column_of[POINTS];
static int16_t to_point[8][POINTS];
static Points occupied, palace[2], line[8][POINTS], gold_steps[8][POINTS], leaps[4][POINTS];

static void set_up_points(void) {
    static const int down[8] = {-1, -1, 0, 1, 1, 1, 0, -1}, right[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    for (int p = 0; p < POINTS; p++) {
        int r = row_of[p] = p / COLUMNS, c = column_of[p] = p % COLUMNS;
        int cannon = (r == 2 || r == 7) && (c == 1 || c == 7), soldier = (r == 3 || r == 6) && c % 2 == 0;
        int taken = r == 0 || r == 9 || cannon || soldier;
        owner[p] = man[p] = taken ? 0 : -1;
        if (taken) occupied |= (Points)1 << p;
        if (c >= 3 && c <= 5 && r >= 7) palace[0] |= (Points)1 << p;
        for (int d = 0; d < 8; d++) {
            int r2 = r + down[d], c2 = c + right[d];
            to_point[d][p] = r2 < 0 || r2 >= ROWS || c2 < 0 || c2 >= COLUMNS ? -1 : r2 * COLUMNS + c2;
        }
    }
    for (int p = 0; p < POINTS; p++)
        for (int d = 0; d < 8; d++) {
            for (int x = to_point[d][p]; x >= 0; x = to_point[d][x]) line[d][p] |= (Points)1 << x;
            for (int e = 0; e < 8; e++)
                if (e != ((d + 3) & 7) && e != ((d + 5) & 7) && to_point[e][p] >= 0)
                    gold_steps[d][p] |= (Points)1 << to_point[e][p];
            if (d % 2 == 0 && to_point[d][p] >= 0)
                for (int turn = 1; turn < 8; turn += 6) {
                    int x = to_point[(d + turn) & 7][to_point[d][p]];
                    if (x >= 0) leaps[d / 2][p] |= (Points)1 << x;
                }
        }
}

#define MEN(FROM, USE) /* of each point (FROM is 6), or of each line from it (FROM is 0), ten times */                 \
    long found = 0;                                                                                                    \
    for (int round = 0; round < 10; round++)                                                                           \
        for (int a = 0; a < POINTS; a++)                                                                               \
            for (int d = FROM; d < 8; d += 2) {                                                                        \
                FENCE;                                                                                                 \
                if (asks) { USE; } else found += a == 0;                                                               \
            }                                                                                                          \
    return found
#define LINES(USE) MEN(0, USE)

static Points first_step(int a, int d) { /* the first man in a line, as a set; a ray to the north or west goes down */
    Points men = line[d][a] & occupied;
    return d == 2 || d == 4 ? men & -men : men ? (Points)1 << last_of(men) : 0;
}
static Points open_way(int a, int d) { /* the points of a line before the first man, and that man */
    Points men = line[d][a] & occupied;
    return !men ? line[d][a] : line[d][a] & ~line[d][d == 2 || d == 4 ? first_of(men) : last_of(men)];
}
static Points chariots(int a) { return open_way(a, 0) | open_way(a, 2) | open_way(a, 4) | open_way(a, 6); }
static Points horses(int a) {
    Points to = 0;
    for (int d = 0; d < 4; d++)
        if (leaps[d][a] && owner[to_point[2 * d][a]] < 0) to |= leaps[d][a];
    return to;
}
static int by_kind(int a) { /* the last of ten cases */
    switch (kind[a] ? 0 : 9) {
        case 0: return row_of[a];
        case 1: return column_of[a];
        case 2: return row_of[a] + 1;
        case 3: return row_of[a] + 2;
        case 4: return row_of[a] + 3;
        case 5: return row_of[a] + 4;
        case 6: return row_of[a] + 5;
        case 7: return row_of[a] + 6;
        case 8: return row_of[a] + 7;
        default: return column_of[a] + 8;
    }
}

static long built_set(int asks) { LINES(found += gold_steps[d][a] >> (5 * COLUMNS + 4) & 1); }
static long cases(int asks) { LINES(found += by_kind(a)); }
static long fixed_set(int asks) { LINES(found += palace[0] >> a & 1); }
static long ray_count(int asks) { LINES(found += size_of(line[d][a] & occupied)); }
static long ray_first(int asks) { LINES(found += first_step(a, d) != 0); }
static long ray_none(int asks) { LINES(found += to_point[d][a] < 0); }
static long ray_while(int asks) { LINES(found += size_of(open_way(a, d) & ~occupied)); }
static long chariot(int asks) { MEN(6, found += size_of(chariots(a))); }
static long horse(int asks) { MEN(6, found += size_of(horses(a))); }

static int free_after(int a, int b) { /* whether the middle is free when a man has gone */
    int8_t k = man[b], p = owner[b];
    man[b] = man[a], owner[b] = owner[a], man[a] = owner[a] = -1;
    int is_free = owner[5 * COLUMNS + 4] < 0;
    man[a] = man[b], owner[a] = owner[b], man[b] = k, owner[b] = p;
    return is_free;
}
static long what_if(int asks) { LINES(if (to_point[d][a] >= 0) found += free_after(a, to_point[d][a])); }
