// Connect four at random, under UGI: zermelo match connect engine "program:java examples/bots/RandomBot.java"
import java.util.*;

public class RandomBot {
    static final int ROWS = 6, COLUMNS = 7;

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        Random random = new Random();
        List<Integer> moves = new ArrayList<>();
        while (input.hasNextLine()) {
            String[] words = input.nextLine().trim().split("\\s+");
            switch (words[0]) {
                case "ugi":
                    System.out.println("id name random bot in Java");
                    System.out.println("option name Seed type spin default 0 min 0 max 2147483647");
                    System.out.println("ugiok");
                    break;
                case "setoption": // name Seed value 7
                    random = new Random(Long.parseLong(words[4]));
                    break;
                case "isready":
                    System.out.println("readyok");
                    break;
                case "position": // startpos moves 3 3 4
                    moves.clear();
                    for (int i = 3; i < words.length; i++) moves.add(Integer.parseInt(words[i]));
                    break;
                case "go":
                    List<Integer> free = new ArrayList<>();
                    for (int column = 0; column < COLUMNS; column++)
                        if (Collections.frequency(moves, column) < ROWS) free.add(column);
                    System.out.println("bestmove " + free.get(random.nextInt(free.size())));
                    break;
                case "quit":
                    return;
            }
        }
    }
}
