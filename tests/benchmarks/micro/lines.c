/* Plain C for what the rulesets beside it do, as one would write it who knows the game: nanoseconds of a use.

   Masks of places are kept beside the cells, what never changes is a table made beforehand. Each function is a loop as
   in its ruleset; without `asks` it does all else that happens there, whose time is taken off. `FENCE` keeps the
   compiler from answering a question once for all uses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FENCE __asm__ volatile("" ::: "memory")
enum { ROWS = 10, COLUMNS = 9, POINTS = 90, RADIUS = 7, HEXES = 169, BITS = 256, HOUSES = 12, RECORDS = 200 };
enum { LINKS = 160, CELLS = 9, WIDTH = 10, GAPS = 144, STACKS = 217 };

typedef unsigned __int128 Points; /* a set of points, or of cells in rows of ten bits */
typedef struct { uint64_t w[4]; } Hexes;

static volatile long sink;

static int first_of(Points s) { return (uint64_t)s ? __builtin_ctzll(s) : 64 + __builtin_ctzll(s >> 64); }
static int last_of(Points s) { return s >> 64 ? 127 - __builtin_clzll(s >> 64) : 63 - __builtin_clzll(s); }
static int size_of(Points s) { return __builtin_popcountll(s) + __builtin_popcountll(s >> 64); }
static uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#include "lines_points.h"
#include "lines_hexes.h"
#include "lines_cells.h"

/* ---------------------------------------------------------------- houses, links, stacks, men that go */

static int32_t seeds[HOUSES];
static long sowing(int asks) { /* 6,000 uses */
    long found = 0;
    for (int round = 0; round < 500; round++)
        for (int from = 0; from < HOUSES; from++) {
            seeds[from] = 4;
            FENCE;
            if (!asks) { found++; continue; }
            int left = seeds[from], at = from;
            seeds[from] = 0;
            while (left) {
                at = at == HOUSES - 1 ? 0 : at + 1;
                if (at == from) continue;
                seeds[at]++;
                left--;
            }
        }
    return found;
}
static long fixed_owner(int asks) { /* 1,000 uses */
    long found = 0;
    for (int round = 0; round < 500; round++)
        for (int p = 0; p < 2; p++) {
            FENCE;
            if (!asks) { found++; continue; }
            for (int h = 6 * p; h < 6 * p + 6; h++) found += seeds[h];
        }
    return found;
}
static long repetition(int asks) { /* 200 uses: a sum of the keys of twelve houses, in a table */
    static uint64_t known[4 * RECORDS];
    long found = 0;
    uint64_t sum = 0;
    if (asks) memset(known, 0, sizeof known);
    for (int round = 0; round < RECORDS; round++) {
        FENCE;
        if (!asks) { found++; continue; }
        sum ^= mixed(round + 1) ^ mixed(round);
        int at = sum % (4 * RECORDS);
        while (known[at] && known[at] != sum) at = (at + 1) % (4 * RECORDS);
        found += known[at] == sum;
        known[at] = sum;
    }
    return found;
}

static uint64_t crossing[LINKS][3], linked[3];
static long fixed_relation(int asks) { /* 640 uses */
    long found = 0;
    for (int round = 0; round < 4; round++)
        for (int l = 0; l < LINKS; l++) {
            FENCE;
            const uint64_t *over = crossing[l];
            if (asks) found += ((over[0] & linked[0]) | (over[1] & linked[1]) | (over[2] & linked[2])) != 0;
            else found += linked[l >> 6] >> (l & 63) & 1;
        }
    return found;
}

static uint64_t occupied_stack[4];
static int8_t height[STACKS];
static long occupied_stacks(int asks) { /* 217 uses */
    long found = 0;
    for (int h = 0; h < STACKS; h++) {
        if (!height[h]++) occupied_stack[h >> 6] |= 1ull << (h & 63);
        FENCE;
        if (asks) for (int k = 0; k < 4; k++) found += __builtin_popcountll(occupied_stack[k]);
        else found += h == 108;
        if (!--height[h]) occupied_stack[h >> 6] &= ~(1ull << (h & 63));
    }
    return found;
}

static int drawn(uint64_t from, uint64_t *state) { /* one of a set at random */
    *state += 0x9e3779b97f4a7c15u;
    for (uint64_t n = (mixed(*state) >> 32) * __builtin_popcountll(from) >> 32; n; n--) from &= from - 1;
    return __builtin_ctzll(from);
}
static long leading_on(int asks) { /* 1,000 uses: a whole turn of a man on eight by eight squares */
    static uint64_t seed;
    const uint64_t left = 0xfefefefefefefefeu, right = 0x7f7f7f7f7f7f7f7fu;
    uint64_t men[2] = {0xffff, 0xffffull << 48}, state = seed++;
    for (int turn = 0; asks && turn < 1000 && men[turn & 1]; turn++) {
        uint64_t mine = men[turn & 1], goal = ~mine, s = goal | (goal << 1 & left) | (goal >> 1 & right);
        int a = drawn(mine & (s | s << 8 | s >> 8), &state);
        s = 1ull << a, s |= (s << 1 & left) | (s >> 1 & right);
        uint64_t to = 1ull << drawn((s | s << 8 | s >> 8) & goal, &state);
        men[turn & 1] = (mine ^ 1ull << a) | to, men[~turn & 1] &= ~to;
    }
    return men[0];
}

static void set_up(void) {
    set_up_points(), set_up_hexes(), set_up_cells();
    for (int h = 0; h < HOUSES; h++) seeds[h] = 4;
    for (int l = 0; l < LINKS; l++) {
        for (int k = 0; k < 9; k++) { int m = mixed(9 * l + k) % LINKS; crossing[l][m >> 6] |= 1ull << (m & 63); }
        if (mixed(l) % 6 == 0) linked[l >> 6] |= 1ull << (l & 63);
    }
    for (int h = 0; h < 11; h++) height[20 * h] = 1, occupied_stack[20 * h >> 6] |= 1ull << (20 * h & 63);
}

static const struct { const char *name; long (*run)(int asks); int uses; } ALL[] = {
    {"built_set", built_set, 3600}, {"cases", cases, 3600}, {"chariot", chariot, 900},
    {"connected_set", connected_set, 338}, {"distinct_count", distinct_count, 1690},
    {"edge_between", edge_between, 3240}, {"fixed_owner", fixed_owner, 1000}, {"fixed_relation", fixed_relation, 640},
    {"fixed_set", fixed_set, 3600}, {"fixed_sides", fixed_sides, 1690}, {"full_board", full_board, 1690},
    {"horse", horse, 900}, {"in_reach", in_reach, 338}, {"leading_on", leading_on, 1000},
    {"merged_chains", merged_chains, 169}, {"neighbour_count", neighbour_count, 1690},
    {"occupied_stacks", occupied_stacks, STACKS}, {"ray_count", ray_count, 3600}, {"ray_first", ray_first, 3600},
    {"ray_none", ray_none, 3600}, {"ray_while", ray_while, 3600}, {"reach_after", reach_after, 640},
    {"reach_chain", reach_chain, 1690}, {"reach_to_rim", reach_to_rim, 169}, {"reach_walls", reach_walls, 1440},
    {"repetition", repetition, RECORDS}, {"sowing", sowing, 6000}, {"what_if", what_if, 3220},
};

static double nanoseconds(long (*run)(int asks), int asks) { /* of one call, the best of five rounds */
    double best = 1e18;
    for (int round = 0; round < 5; round++) {
        clock_t begun = clock();
        long times = 0;
        while (clock() - begun < CLOCKS_PER_SEC / 50)
            for (int n = 0; n < 20; n++, times++) sink = run(asks);
        double spent = (double)(clock() - begun) / CLOCKS_PER_SEC * 1e9 / times;
        best = spent < best ? spent : best;
    }
    return best;
}

int main(void) {
    set_up();
    for (unsigned at = 0; at < sizeof ALL / sizeof *ALL; at++) {
        double asked = nanoseconds(ALL[at].run, 1), all_else = nanoseconds(ALL[at].run, 0);
        printf("%s %.2f\n", ALL[at].name, (asked - all_else) / ALL[at].uses);
    }
}
