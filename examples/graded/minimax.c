/* Minimax of connect in C, as a program that `zermelo grade` asks for searches: see docs/how-to/grade.md.

   cc -O2 -o minimax minimax.c
   zermelo grade "program:./minimax" --board 3x3x3 --board 3x4x3 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN = -1, MAX = 1, MOST = 32, INFINITE = 1 << 30 };

static int rows = 6, columns = 7, run = 4;
static int board[MOST][MOST]; /* board[column][row]: MAX, MIN or 0 */
static int height[MOST], discs;

/* Whether the disc at the top of a column completes a run. */
static int wins(int column) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int row = height[column] - 1, player = board[column][row];
    for (int k = 0; k < 4; k++) {
        int count = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int x = column + sign * steps[k][0], y = row + sign * steps[k][1];
            while (x >= 0 && x < columns && y >= 0 && y < rows && board[x][y] == player) {
                count++;
                x += sign * steps[k][0];
                y += sign * steps[k][1];
            }
        }
        if (count >= run) return 1;
    }
    return 0;
}

/* The value of the position for MAX; `last` is the column played last, and *best the first best move, or -1. */
static int minimax(int last, int *best) {
    int player = discs % 2 ? MIN : MAX, cells = rows * columns;
    *best = -1;
    if (last >= 0 && wins(last)) return -player * (10000 * cells / discs);
    if (discs == cells) return 0;
    int value = -player * INFINITE, below;
    for (int column = 0; column < columns; column++) {
        if (height[column] == rows) continue;
        board[column][height[column]++] = player;
        discs++;
        int child = minimax(column, &below);
        discs--;
        board[column][--height[column]] = 0;
        if (child * player > value * player) {
            value = child;
            *best = column;
        }
    }
    return value;
}

static void begin(char *moves, int *last) {
    memset(board, 0, sizeof board);
    memset(height, 0, sizeof height);
    discs = 0;
    *last = -1;
    for (char *word = strtok(moves, " \n"); word; word = strtok(NULL, " \n")) {
        *last = atoi(word);
        board[*last][height[*last]++] = discs++ % 2 ? MIN : MAX;
    }
}

int main(void) {
    static char line[65536], empty[1];
    char name[32];
    int number, last = -1, best;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        if (!strncmp(line, "ugi", 3) && line[3] != 'n') {
            puts("id name minimax in C\noption name Searches type string default minimax_search");
            puts("option name rows type spin default 6 min 1 max 31\noption name columns type spin default 7 min 1 max 31");
            puts("option name run type spin default 4 min 2 max 31\nugiok");
        } else if (!strncmp(line, "isready", 7)) {
            puts("readyok");
        } else if (sscanf(line, "setoption name %31s value %d", name, &number) == 2) {
            *(!strcmp(name, "rows") ? &rows : !strcmp(name, "columns") ? &columns : &run) = number;
        } else if (!strncmp(line, "position", 8)) {
            char *moves = strstr(line, "moves ");
            begin(moves ? moves + 6 : empty, &last);
        } else if (!strncmp(line, "search minimax_search", 21)) {
            int value = minimax(last, &best);
            if (best < 0) printf("found %d -\n", value);
            else printf("found %d %d\n", value, best);
        }
        fflush(stdout);
    }
    return 0;
}
