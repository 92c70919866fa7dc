// Connect four, one ply ahead: the bot wins if it can, else it stops the opponent's win, else it moves at random.
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

const int ROWS = 6, COLUMNS = 7, LINES[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
int discs[COLUMNS][ROWS], heights[COLUMNS], player;  // 0 where no disc lies, 1 for who began, 2 for the other
std::mt19937 generator{std::random_device{}()};

int at(int x, int y) { return x < 0 || x >= COLUMNS || y < 0 || y >= ROWS ? 0 : discs[x][y]; }

bool wins(int column, int who) {  // whether a disc in this column makes four in a row
    for (auto& line : LINES) {
        int count = 1;
        for (int sign : {-1, 1})
            for (int i = sign; at(column + i * line[0], heights[column] + i * line[1]) == who; i += sign) count++;
        if (count >= 4) return true;
    }
    return false;
}

void set_position(std::istream& words) {  // startpos moves 3 3 4
    for (int x = 0; x < COLUMNS; x++) {
        heights[x] = 0;
        for (int& disc : discs[x]) disc = 0;
    }
    player = 1;
    std::string word;
    words >> word >> word;
    for (int column; words >> column; player = 3 - player) discs[column][heights[column]++] = player;
}

int choose() {
    std::vector<int> columns[3];  // free, saving, winning
    for (int column = 0; column < COLUMNS; column++) {
        if (heights[column] == ROWS) continue;
        columns[0].push_back(column);
        if (wins(column, 3 - player)) columns[1].push_back(column);
        if (wins(column, player)) columns[2].push_back(column);
    }
    auto& best = !columns[2].empty() ? columns[2] : !columns[1].empty() ? columns[1] : columns[0];
    return best[generator() % best.size()];
}

int main() {
    for (std::string line, command, word; std::getline(std::cin, line);) {
        std::istringstream words(line);
        unsigned seed = 0;
        words >> command;
        if (command == "ugi") std::cout << "option name Seed type spin default 0 min 0 max 2147483647\nugiok" << std::endl;
        if (command == "setoption" && words >> word >> word >> word >> seed) generator.seed(seed);
        if (command == "isready") std::cout << "readyok" << std::endl;
        if (command == "position") set_position(words);
        if (command == "go") std::cout << "bestmove " << choose() << std::endl;
        if (command == "quit") break;
    }
}
