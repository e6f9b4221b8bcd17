/* Plain C for what some of the rulesets beside it do, as one would write it who knows the game: nanoseconds of a use. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROWS = 10, COLUMNS = 9, POINTS = 90, RADIUS = 7, HEXES = 169, HOUSES = 12, RECORDS = 200 };

static int8_t owner[POINTS], man[POINTS], stone[HEXES], rim[HEXES];
static int16_t to_point[8][POINTS], to_hex[6][HEXES];
static volatile long sink;

static void set_up(void) {
    static const int down[8] = {-1, -1, 0, 1, 1, 1, 0, -1}, right[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    for (int p = 0; p < POINTS; p++) {
        int r = p / COLUMNS, c = p % COLUMNS;
        int first = r == 0 || r == 9 || ((r == 2 || r == 7) && (c == 1 || c == 7)) || ((r == 3 || r == 6) && c % 2 == 0);
        owner[p] = man[p] = first ? 0 : -1;
        for (int d = 0; d < 8; d++) {
            int r2 = r + down[d], c2 = c + right[d];
            to_point[d][p] = r2 < 0 || r2 >= ROWS || c2 < 0 || c2 >= COLUMNS ? -1 : r2 * COLUMNS + c2;
        }
    }
    static const int dq[6] = {0, 1, 1, 0, -1, -1}, dr[6] = {-1, -1, 0, 1, 1, 0};
    int at[17][17], count = 0;
    memset(at, -1, sizeof at);
    for (int q = -RADIUS; q <= RADIUS; q++)
        for (int r = -RADIUS; r <= RADIUS; r++)
            if (q + r >= -RADIUS && q + r <= RADIUS) at[q + 8][r + 8] = count++;
    unsigned seed = 7;
    for (int q = -RADIUS; q <= RADIUS; q++)
        for (int r = -RADIUS; r <= RADIUS; r++) {
            int h = at[q + 8][r + 8];
            if (h < 0) continue;
            seed = seed * 1664525u + 1013904223u;
            stone[h] = (int)(seed >> 16) % 3 - 1;
            for (int d = 0; d < 6; d++) rim[h] |= (to_hex[d][h] = at[q + dq[d] + 8][r + dr[d] + 8]) < 0;
        }
}

static long ray_first(void) { /* 3,600 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int a = 0; a < POINTS; a++)
            for (int d = 0; d < 8; d += 2) {
                int x = to_point[d][a];
                while (x >= 0 && owner[x] < 0) x = to_point[d][x];
                found += x >= 0;
            }
    return found;
}

static long ray_count(void) { /* 3,600 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int a = 0; a < POINTS; a++)
            for (int d = 0; d < 8; d += 2)
                for (int x = to_point[d][a]; x >= 0; x = to_point[d][x]) found += owner[x] >= 0;
    return found;
}

static long chariot(void) { /* 900 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int a = 0; a < POINTS; a++)
            for (int d = 0; d < 8; d += 2)
                for (int x = to_point[d][a]; x >= 0; x = to_point[d][x]) {
                    found++;
                    if (owner[x] >= 0) break;
                }
    return found;
}

static long horse(void) { /* 900 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int a = 0; a < POINTS; a++)
            for (int d = 0; d < 8; d += 2) {
                int x = to_point[d][a];
                if (x < 0 || owner[x] >= 0) continue;
                found += to_point[(d + 1) & 7][x] >= 0;
                found += to_point[(d + 7) & 7][x] >= 0;
            }
    return found;
}

static long fixed_set(void) { /* 3,600 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int a = 0; a < POINTS; a++)
            for (int d = 0; d < 8; d += 2) {
                int r = a / COLUMNS, c = a % COLUMNS;
                found += c >= 3 && c <= 5 && r >= 7;
                sink = found;
            }
    return found;
}

static long neighbour_count(void) { /* 1,690 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int h = 0; h < HEXES; h++) {
            int8_t before = stone[h];
            stone[h] = 0;
            for (int d = 0; d < 6; d++) {
                int n = to_hex[d][h];
                found += n >= 0 && stone[n] == 0;
            }
            stone[h] = before;
        }
    return found;
}

static long full_board(void) { /* 1,690 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int h = 0; h < HEXES; h++) {
            int8_t before = stone[h];
            stone[h] = 0;
            int full = 1;
            for (int x = 0; x < HEXES && full; x++) full = stone[x] >= 0;
            found += full;
            stone[h] = before;
        }
    return found;
}

static int comes_to_rim(int from) {
    static int16_t waiting[HEXES];
    int8_t seen[HEXES] = {0};
    int last = 0;
    waiting[last++] = from;
    seen[from] = 1;
    while (last) {
        int h = waiting[--last];
        if (rim[h]) return 1;
        for (int d = 0; d < 6; d++) {
            int n = to_hex[d][h];
            if (n < 0 || seen[n] || stone[n] == 0) continue;
            seen[n] = 1;
            waiting[last++] = n;
        }
    }
    return 0;
}

static long reach_to_rim(void) { /* 169 uses */
    long found = 0;
    for (int h = 0; h < HEXES; h++) {
        int8_t before = stone[h];
        stone[h] = 0;
        int shut = 0;
        for (int d = 0; d < 6 && !shut; d++) {
            int n = to_hex[d][h];
            shut = n >= 0 && stone[n] != 0 && !comes_to_rim(n);
        }
        found += shut;
        stone[h] = before;
    }
    return found;
}

static long sowing(void) { /* 6,000 uses */
    static int32_t seeds[HOUSES];
    long found = 0;
    for (int h = 0; h < HOUSES; h++) seeds[h] = 4;
    for (int round = 0; round < 500; round++)
        for (int from = 0; from < HOUSES; from++) {
            seeds[from] = 4;
            int left = seeds[from], at = from;
            seeds[from] = 0;
            while (left) {
                at = at == HOUSES - 1 ? 0 : at + 1;
                if (at == from) continue;
                seeds[at]++;
                left--;
            }
            found += at;
        }
    return found;
}

static uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static long repetition(void) { /* 200 uses: a sum of the keys of twelve houses is looked for among all before */
    static uint64_t known[RECORDS];
    long found = 0;
    uint64_t sum = 0;
    for (int round = 0; round < RECORDS; round++) {
        sum += mixed(round + 1) - (round ? mixed(round) : 0);
        for (int x = 0; x < round; x++) found += known[x] == sum;
        known[round] = sum;
    }
    return found;
}

static long what_if(void) { /* 3,220 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int a = 0; a < POINTS; a++)
            for (int d = 0; d < 8; d += 2) {
                int b = to_point[d][a];
                if (b < 0) continue;
                int8_t k = man[b], p = owner[b];
                man[b] = man[a], owner[b] = owner[a], man[a] = owner[a] = -1;
                found += owner[5 * COLUMNS + 4] < 0;
                man[a] = man[b], owner[a] = owner[b], man[b] = k, owner[b] = p;
            }
    return found;
}

static const struct { const char *name; long (*run)(void); int uses; } ALL[] = {
    {"chariot", chariot, 900}, {"fixed_set", fixed_set, 3600}, {"full_board", full_board, 1690}, {"horse", horse, 900},
    {"neighbour_count", neighbour_count, 1690}, {"ray_count", ray_count, 3600}, {"ray_first", ray_first, 3600},
    {"reach_to_rim", reach_to_rim, 169}, {"repetition", repetition, RECORDS}, {"sowing", sowing, 6000},
    {"what_if", what_if, 3220},
};

int main(void) {
    set_up();
    for (unsigned at = 0; at < sizeof ALL / sizeof *ALL; at++) {
        double best = 1e9;
        for (int round = 0; round < 5; round++) {
            clock_t begun = clock();
            long times = 0;
            while (clock() - begun < CLOCKS_PER_SEC / 20)
                for (int n = 0; n < 20; n++, times++) sink = ALL[at].run();
            double one = (double)(clock() - begun) / CLOCKS_PER_SEC * 1e9 / times / ALL[at].uses;
            best = one < best ? one : best;
        }
        printf("%s %.2f\n", ALL[at].name, best);
    }
}
