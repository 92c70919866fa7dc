// Connect four, one ply ahead: the bot wins if it can, else it stops the opponent's win, else it moves at random.
import java.util.*;

public class OnePlyBot {
    static final int ROWS = 6, COLUMNS = 7;
    static final int[][] LINES = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    static int[][] discs;  // 0 where no disc lies, 1 for the player who began, 2 for the other
    static int[] heights;
    static Random random = new Random();

    static int at(int x, int y) {
        return x < 0 || x >= COLUMNS || y < 0 || y >= ROWS ? 0 : discs[x][y];
    }

    static boolean wins(int column, int player) {  // whether a disc in this column makes four in a row
        for (int[] line : LINES) {
            int count = 1;
            for (int sign = -1; sign <= 1; sign += 2)
                for (int i = sign; at(column + i * line[0], heights[column] + i * line[1]) == player; i += sign) count++;
            if (count >= 4) return true;
        }
        return false;
    }

    static void position(String[] words) {  // position startpos moves 3 3 4
        discs = new int[COLUMNS][ROWS];
        heights = new int[COLUMNS];
        for (int i = 3; i < words.length; i++) {
            int column = Integer.parseInt(words[i]);
            discs[column][heights[column]++] = 1 + (i - 3) % 2;
        }
    }

    static int choose(int player) {
        List<Integer> free = new ArrayList<>(), winning = new ArrayList<>(), saving = new ArrayList<>();
        for (int column = 0; column < COLUMNS; column++) {
            if (heights[column] == ROWS) continue;
            free.add(column);
            if (wins(column, player)) winning.add(column);
            if (wins(column, 3 - player)) saving.add(column);
        }
        List<Integer> best = !winning.isEmpty() ? winning : !saving.isEmpty() ? saving : free;
        return best.get(random.nextInt(best.size()));
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        int player = 1;
        while (input.hasNextLine()) {
            String[] words = input.nextLine().trim().split("\\s+");
            if (words[0].equals("ugi")) System.out.println("option name Seed type spin default 0 min 0 max 9999\nugiok");
            if (words[0].equals("setoption")) random = new Random(Long.parseLong(words[4]));
            if (words[0].equals("isready")) System.out.println("readyok");
            if (words[0].equals("position")) { position(words); player = 1 + Math.max(0, words.length - 3) % 2; }
            if (words[0].equals("go")) System.out.println("bestmove " + choose(player));
            if (words[0].equals("quit")) return;
        }
    }
}
