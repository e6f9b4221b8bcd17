/* Stones on hexes of radius 7, in 15 rows of 16 bits. */

static Hexes board, rim, own, other, around[BITS], near[BITS], corner_row[6], column[BITS];
static int hexes[HEXES], sides[BITS];

static Hexes one(int h) { Hexes s = {{0}}; s.w[h >> 6] = 1ull << (h & 63); return s; }
static int has(const Hexes *s, int h) { return s->w[h >> 6] >> (h & 63) & 1; }
static Hexes both(Hexes a, Hexes b) { for (int i = 0; i < 4; i++) a.w[i] &= b.w[i]; return a; }
static Hexes either(Hexes a, Hexes b) { for (int i = 0; i < 4; i++) a.w[i] |= b.w[i]; return a; }
static Hexes without(Hexes a, Hexes b) { for (int i = 0; i < 4; i++) a.w[i] &= ~b.w[i]; return a; }
static int any(Hexes a) { return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) != 0; }
static int number(Hexes a) { int n = 0; for (int i = 0; i < 4; i++) n += __builtin_popcountll(a.w[i]); return n; }

static void set_up_hexes(void) {
    static const int dq[6] = {0, 1, 1, 0, -1, -1}, dr[6] = {-1, -1, 0, 1, 1, 0};
    int count = 0;
    for (int h = 0; h < 15 * 16; h++) {
        int q = h % 16 - 7, r = h / 16 - 7;
        if (abs(q) > RADIUS || abs(q + r) > RADIUS) continue;
        hexes[count++] = h;
        board = either(board, one(h));
        int lost[6];
        for (int d = 0; d < 6; d++) {
            int q2 = q + dq[d], r2 = r + dr[d];
            lost[d] = abs(q2) > RADIUS || abs(r2) > RADIUS || abs(q2 + r2) > RADIUS;
            if (lost[d]) rim = either(rim, one(h));
            else around[h] = either(around[h], one((r2 + 7) * 16 + q2 + 7));
        }
        for (int d = 0; d < 6 && number(around[h]) > 3; d++)
            if (lost[d] && lost[(d + 1) % 6]) sides[h] |= 1 << d, corner_row[d] = either(corner_row[d], one(h));
    }
    for (int i = 0; i < HEXES; i++) {
        near[hexes[i]] = either(around[hexes[i]], one(hexes[i]));
        for (int j = 0; j < HEXES; j++) {
            if (any(both(around[hexes[i]], around[hexes[j]]))) near[hexes[i]] = either(near[hexes[i]], one(hexes[j]));
            if (hexes[i] % 16 == hexes[j] % 16) column[hexes[i]] = either(column[hexes[i]], one(hexes[j]));
        }
    }
}

static void lay_stones(void) { /* another board for each call, a third of it one's own, a third the other player's */
    static unsigned seed;
    own = other = without(own, own);
    for (int i = 0; i < HEXES; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint64_t bit = 1ull << (hexes[i] & 63), n = (seed >> 16) % 3;
        if (n == 0) own.w[hexes[i] >> 6] |= bit;
        if (n == 1) other.w[hexes[i] >> 6] |= bit;
    }
}

#define STONES(ROUNDS, USE) /* 169 uses a round; a stone is laid, and taken away after the question */                 \
    long found = 0;                                                                                                    \
    lay_stones();                                                                                                      \
    for (int round = 0; round < ROUNDS; round++)                                                                       \
        for (int i = 0; i < HEXES; i++) {                                                                              \
            int h = hexes[i];                                                                                          \
            Hexes before = own, opposed = other;                                                                       \
            own.w[h >> 6] |= 1ull << (h & 63), other.w[h >> 6] &= ~(1ull << (h & 63));                                 \
            FENCE;                                                                                                     \
            if (asks) { USE; } else found += i == 84;                                                                  \
            own = before, other = opposed;                                                                             \
        }                                                                                                              \
    return found

static int flooded(int from, Hexes within) { /* the number of hexes come to */
    int waiting[HEXES], begin = 0, end = 0;
    Hexes left = without(within, one(from));
    waiting[end++] = from;
    while (begin < end) {
        int h = waiting[begin++];
        for (int k = 0; k < 4; k++) {
            uint64_t next = around[h].w[k] & left.w[k];
            for (left.w[k] ^= next; next; next &= next - 1) waiting[end++] = 64 * k + __builtin_ctzll(next);
        }
    }
    return end;
}
static int comes_to(int from, Hexes within, Hexes goal, int up) { /* the last hex first if the goal lies up there */
    Hexes waiting = one(from), left = without(within, waiting);
    if (has(&goal, from)) return 1;
    if (!any(both(goal, within))) return 0;
    for (;;) {
        int k = up ? 3 : 0;
        while (k >= 0 && k < 4 && !waiting.w[k]) k += up ? -1 : 1;
        if (k < 0 || k > 3) return 0;
        int h = 64 * k + (up ? 63 - __builtin_clzll(waiting.w[k]) : __builtin_ctzll(waiting.w[k]));
        waiting.w[k] ^= 1ull << (h & 63);
        for (int n = 0; n < 4; n++) {
            uint64_t next = around[h].w[n] & left.w[n];
            if (next & goal.w[n]) return 1;
            left.w[n] ^= next, waiting.w[n] |= next;
        }
    }
}
static int first_hex(Hexes s) { int k = 0; while (!s.w[k]) k++; return 64 * k + __builtin_ctzll(s.w[k]); }
static int shut_in(int h) { /* whether a neighbour cannot come to the rim; one of those side by side is asked */
    Hexes open = without(board, own), asked = both(around[h], open);
    for (int k = 0; k < 4; k++)
        for (uint64_t w = asked.w[k]; w; w = asked.w[k]) {
            int n = 64 * k + __builtin_ctzll(w);
            if (!comes_to(n, open, rim, 0)) return 1;
            asked = without(asked, either(around[n], one(n)));
        }
    return 0;
}
static int hangs_together(int h) { return flooded(first_hex(near[h]), near[h]) == number(near[h]); }
static int different_sides(int h) {
    int n = 0;
    for (int d = 0; d < 6; d++) n += any(both(column[h], corner_row[d]));
    return n;
}
static int comes_to_middle(int h) { return comes_to(h, without(board, other), one(7 * 16 + 7), h < 7 * 16 + 7); }

static long connected_set(int asks) { STONES(2, found += hangs_together(h)); }
static long distinct_count(int asks) { STONES(10, found += different_sides(h)); }
static long fixed_sides(int asks) { STONES(10, found += __builtin_popcount(sides[h])); }
static long full_board(int asks) { STONES(10, found += !any(without(board, either(own, other)))); }
static long in_reach(int asks) { STONES(2, found += comes_to_middle(h)); }
static long neighbour_count(int asks) { STONES(10, found += number(both(around[h], own))); }
static long reach_chain(int asks) { STONES(10, found += flooded(h, own)); }
static long reach_to_rim(int asks) { STONES(1, found += shut_in(h)); }

static int16_t above[BITS], chain_size[BITS];
static int root(int h) { while (above[h] != h) h = above[h] = above[above[h]]; return h; }
static long merged_chains(int asks) { /* 169 uses: stones are laid in some order, chains with sizes */
    long found = 0;
    Hexes laid[2] = {{{0}}};
    for (int i = 0; i < HEXES; i++) above[hexes[i]] = hexes[i], chain_size[hexes[i]] = 1;
    for (int i = 0; i < HEXES; i++) {
        int h = hexes[i * 61 % HEXES];
        laid[i & 1].w[h >> 6] |= 1ull << (h & 63);
        FENCE;
        if (!asks) { found += i == 84; continue; }
        for (int k = 0; k < 4; k++)
            for (uint64_t w = around[h].w[k] & laid[i & 1].w[k]; w; w &= w - 1) {
                int a = root(64 * k + __builtin_ctzll(w)), b = root(h);
                if (a != b) above[a] = b, chain_size[b] += chain_size[a];
            }
        found += chain_size[root(h)];
    }
    return found;
}
