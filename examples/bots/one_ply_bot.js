// Connect four, one ply ahead: the bot wins if it can, else it stops the opponent's win, else it moves at random.
const ROWS = 6, COLUMNS = 7;
const LINES = [[1, 0], [0, 1], [1, 1], [1, -1]];
let discs = [], player = 1;  // in each column the discs from below: 1 for the player who began, 2 for the other
let state = Date.now() >>> 0;

function random(below) {  // JavaScript's own generator takes no seed; this is Numerical Recipes' simplest
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor(state / 2 ** 32 * below);
}

function wins(column, who) {  // whether a disc in this column makes four in a row
  const row = discs[column].length;
  return LINES.some(([dx, dy]) => {
    let count = 1;
    for (const sign of [-1, 1]) {
      for (let i = sign; discs[column + i * dx]?.[row + i * dy] === who; i += sign) count++;
    }
    return count >= 4;
  });
}

function setPosition(moves) {
  discs = Array.from({ length: COLUMNS }, () => []);
  player = 1;
  for (const column of moves) {
    discs[column].push(player);
    player = 3 - player;
  }
}

function choose() {
  const free = [...Array(COLUMNS).keys()].filter((column) => discs[column].length < ROWS);
  const winning = free.filter((column) => wins(column, player));
  const saving = free.filter((column) => wins(column, 3 - player));
  const best = [winning, saving, free].find((columns) => columns.length > 0);
  return best[random(best.length)];
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === "ugi") console.log("option name Seed type spin default 0 min 0 max 2147483647\nugiok");
  if (words[0] === "setoption") state = Number(words[4]) >>> 0;
  if (words[0] === "isready") console.log("readyok");
  if (words[0] === "position") setPosition(words.slice(3).map(Number));
  if (words[0] === "go") console.log(`bestmove ${choose()}`);
  if (words[0] === "quit") process.exit(0);
});
