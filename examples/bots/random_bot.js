// Connect four at random, under UGI: zermelo match connect engine "program:node examples/bots/random_bot.js"
const ROWS = 6, COLUMNS = 7;
let moves = [];
let state = Date.now() >>> 0;

function random(below) {  // JavaScript's own generator takes no seed; this is Numerical Recipes' simplest
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor(state / 2 ** 32 * below);
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.trim().split(/\s+/);
  switch (words[0]) {
    case "ugi":
      console.log("id name random bot in JavaScript");
      console.log("option name Seed type spin default 0 min 0 max 2147483647");
      console.log("ugiok");
      break;
    case "setoption":  // name Seed value 7
      state = Number(words[4]) >>> 0;
      break;
    case "isready":
      console.log("readyok");
      break;
    case "position":  // startpos moves 3 3 4
      moves = words.slice(3).map(Number);
      break;
    case "go": {
      const columns = [...Array(COLUMNS).keys()];
      const free = columns.filter((column) => moves.filter((move) => move === column).length < ROWS);
      console.log(`bestmove ${free[random(free.length)]}`);
      break;
    }
    case "quit":
      process.exit(0);
  }
});
