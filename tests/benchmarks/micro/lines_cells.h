/* Walls on nine by nine cells, in rows of ten bits. */

static Points open_east, open_south; /* there is a way from this cell to the next one */
static int8_t shut[GAPS];
static int16_t gap_to[4][CELLS * CELLS];

static void set_up_cells(void) {
    int gaps = 0;
    memset(gap_to, -1, sizeof gap_to);
    for (int r = 0; r < CELLS; r++)
        for (int c = 0; c < CELLS; c++) {
            if (c + 1 < CELLS) gap_to[1][r * CELLS + c] = gap_to[3][r * CELLS + c + 1] = gaps++;
            if (r + 1 < CELLS) gap_to[2][r * CELLS + c] = gap_to[0][(r + 1) * CELLS + c] = gaps++;
            if (c + 1 < CELLS) open_east |= (Points)1 << (r * WIDTH + c);
            if (r + 1 < CELLS) open_south |= (Points)1 << (r * WIDTH + c);
        }
    static const int flat[10][2] = {{0, 1}, {1, 4}, {2, 6}, {3, 2}, {4, 0}, {5, 3}, {5, 6}, {6, 1}, {7, 4}, {7, 7}};
    static const int upright[6][2] = {{0, 5}, {2, 2}, {3, 4}, {4, 6}, {5, 1}, {6, 5}};
    for (int i = 0; i < 10; i++) {
        int r = flat[i][0], c = flat[i][1];
        open_south &= ~((Points)3 << (r * WIDTH + c));
        shut[gap_to[2][r * CELLS + c]] = shut[gap_to[2][r * CELLS + c + 1]] = 1;
    }
    for (int i = 0; i < 6; i++) {
        int r = upright[i][0], c = upright[i][1];
        open_east &= ~(((Points)1 << (r * WIDTH + c)) | ((Points)1 << ((r + 1) * WIDTH + c)));
        shut[gap_to[1][r * CELLS + c]] = shut[gap_to[1][(r + 1) * CELLS + c]] = 1;
    }
}

static int arrives(int from) { /* in waves, as far as the first row */
    Points reached = (Points)1 << from, before = 0;
    while (reached != before) {
        if (reached & 511) return 1;
        before = reached;
        reached |= (before & open_east) << 1 | (before >> 1 & open_east);
        reached |= (before & open_south) << WIDTH | (before >> WIDTH & open_south);
    }
    return 0;
}

static long edge_between(int asks) { /* 3,240 uses */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int c = 0; c < CELLS * CELLS; c++)
            for (int d = 0; d < 4; d++) {
                FENCE;
                if (asks) found += gap_to[d][c] < 0 || shut[gap_to[d][c]];
                else found += c == 0;
            }
    return found;
}
static long reach_walls(int asks) { /* 1,440 uses: one passage after the other is shut, or opened */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int g = 0; g < GAPS; g++) {
            Points *open = g < 72 ? &open_east : &open_south, bit = (Points)1 << (g % 72 / 8 * WIDTH + g % 8);
            *open ^= bit;
            FENCE;
            found += asks ? arrives(84) : g == 0;
            *open ^= bit;
        }
    return found;
}
static long reach_after(int asks) { /* 640 uses: two walls that would be laid beside a cell */
    long found = 0;
    for (int round = 0; round < 10; round++)
        for (int r = 0; r < 8; r++)
            for (int c = 0; c < 8; c++) {
                FENCE;
                if (!asks) { found += c == 0; continue; }
                Points before = open_south;
                open_south &= ~((Points)3 << (r * WIDTH + c));
                found += arrives(8 * WIDTH + r);
                open_south = before;
            }
    return found;
}
