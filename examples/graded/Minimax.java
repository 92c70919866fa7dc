// Minimax of connect in Java, as a program that `zermelo grade` asks for searches: see docs/how-to/grade.md.
//
//   zermelo grade "program:java examples/graded/Minimax.java" --board 3x3x3 --board 3x4x3
import java.util.*;

public class Minimax {
    static final int[][] LINES = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    static Map<String, Integer> size = new HashMap<>(Map.of("rows", 6, "columns", 7, "run", 4));
    static int[][] discs;  // of a column and a row: 1 for MAX, -1 for MIN, 0 where no disc lies
    static int[] heights;
    static int played, last;  // how many discs lie, and the column of the newest, or -1
    static int action;  // the first best move of the position that was searched last, or -1

    static int at(int x, int y) {
        return x < 0 || x >= discs.length || y < 0 || y >= size.get("rows") ? 0 : discs[x][y];
    }

    static void play(int column) {
        discs[column][heights[column]++] = played++ % 2 == 0 ? 1 : -1;
        last = column;
    }

    static boolean won() {  // whether the newest disc completes a run
        for (int[] line : LINES) {
            int count = 1, row = heights[last] - 1, player = discs[last][row];
            for (int sign = -1; sign <= 1; sign += 2)
                for (int i = sign; at(last + i * line[0], row + i * line[1]) == player; i += sign) count++;
            if (count >= size.get("run")) return true;
        }
        return false;
    }

    static int minimax() {  // the value of the position for MAX
        int player = played % 2 == 0 ? 1 : -1, cells = discs.length * size.get("rows");
        int value = 0, best = -1;
        if (last >= 0 && won()) value = -player * (10000 * cells / played);
        else for (int column = 0; column < discs.length; column++) {
            if (heights[column] == size.get("rows")) continue;
            int before = last;
            play(column);
            int child = minimax();
            discs[column][--heights[column]] = 0;
            played--;
            last = before;
            if (best < 0 || child * player > value * player) {
                value = child;
                best = column;
            }
        }
        action = best;
        return value;
    }

    static void position(String[] words) {  // position startpos moves 1 1 0
        discs = new int[size.get("columns")][size.get("rows")];
        heights = new int[discs.length];
        played = 0;
        last = -1;
        for (int i = 3; i < words.length; i++) play(Integer.parseInt(words[i]));
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String[] words = input.nextLine().trim().split("\\s+");
            if (words[0].equals("ugi")) {
                System.out.println("option name Searches type string default minimax_search");
                for (String name : size.keySet())
                    System.out.println("option name " + name + " type spin default " + size.get(name) + " min 1 max 31");
                System.out.println("ugiok");
            }
            if (words[0].equals("setoption")) size.put(words[2], Integer.parseInt(words[4]));
            if (words[0].equals("isready")) System.out.println("readyok");
            if (words[0].equals("position")) position(words);
            if (words[0].equals("search")) System.out.println("found " + minimax() + " " + (action < 0 ? "-" : action));
            if (words[0].equals("quit")) return;
        }
    }
}
