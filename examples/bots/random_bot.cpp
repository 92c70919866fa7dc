// Connect four at random, under UGI: g++ -O2 -o random_bot random_bot.cpp, then
// zermelo match connect engine "program:./random_bot"
#include <algorithm>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

const int ROWS = 6, COLUMNS = 7;

int main() {
    std::mt19937 random{std::random_device{}()};
    std::vector<int> moves;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command, word;
        words >> command;
        if (command == "ugi") {
            std::cout << "id name random bot in C++\n"
                      << "option name Seed type spin default 0 min 0 max 2147483647\n"
                      << "ugiok" << std::endl;
        } else if (command == "setoption") {  // name Seed value 7
            unsigned seed = 0;
            words >> word >> word >> word >> seed;
            random.seed(seed);
        } else if (command == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (command == "position") {  // startpos moves 3 3 4
            moves.clear();
            words >> word >> word;
            for (int column; words >> column;) moves.push_back(column);
        } else if (command == "go") {
            std::vector<int> free;
            for (int column = 0; column < COLUMNS; column++)
                if (std::count(moves.begin(), moves.end(), column) < ROWS) free.push_back(column);
            std::cout << "bestmove " << free[random() % free.size()] << std::endl;
        } else if (command == "quit") {
            break;
        }
    }
}
