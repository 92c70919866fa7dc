"""A program that plays tic-tac-toe under UGI and makes one kind of mistake: ``python faulty.py MISTAKE``.

It imports nothing of zermelo, as nobody else's program does.
"""

import os
import signal
import sys
import time

CELLS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def say(text):
    print(text, flush=True)


def wait():
    """Do not answer, whatever is said."""
    while True:
        time.sleep(1)


def crash():
    raise RuntimeError("the program divides by nothing")


def flood():
    while True:
        say("info string " + 1000 * "blah ")


def endless_line():
    while True:
        sys.stdout.write(1000 * "blah ")


def complain():
    """Flood the standard error, which harms nobody, and then crash."""
    for _ in range(3000):
        sys.stderr.write(1000 * "x" + "\n")
    crash()


def close():
    sys.stdout.close()
    os.close(1)
    wait()


def wrong_encoding():
    sys.stdout.buffer.write("bestmove b3\n".encode("utf-16") + b"\xff\xfe\x80\n")
    sys.stdout.flush()
    wait()


def fork():
    """Leave a child in a session of its own, with another environment, whose parent is dead; then crash."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.execve(sys.executable, [sys.executable, __file__, "sleep"], {})
        os._exit(0)
    time.sleep(0.2)
    crash()


def eat_memory():
    eaten = []
    while True:
        eaten.append(bytearray(1 << 24))


MISTAKES = {
    "hang": wait,
    "crash": crash,
    "illegal": lambda: say("bestmove 99"),
    "nothing": lambda: say("bestmove"),
    "late": lambda: (time.sleep(1), say("bestmove b3")),
    "flood": flood,
    "endless_line": endless_line,
    "complain": complain,
    "close": close,
    "wrong_encoding": wrong_encoding,
    "fork": fork,
    "eat_memory": eat_memory,
    "kill_supervisor": lambda: (os.kill(os.getppid(), signal.SIGKILL), wait()),
}


def main(mistake):
    if mistake in ("sleep", "slow_start"):
        wait()
    games, moves = 0, []
    for line in sys.stdin:
        words = line.split()
        if words == ["ugi"]:
            say("id name faulty\noption name Seed type spin default 0 min 0 max 9\nugiok")
        elif words == ["isready"]:
            say("readyok")
        elif words[:1] == ["uginewgame"]:
            games += 1
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[:1] == ["go"]:
            if mistake in MISTAKES and len(moves) >= 2:
                MISTAKES[mistake]()
            else:
                say("info depth 1 score cp 3 nodes 9 pv a3")
                say("bestmove " + next(cell for cell in CELLS if cell not in moves))
        elif words == ["quit"]:
            break


main(sys.argv[1])
