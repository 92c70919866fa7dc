"""A program that plays at random under one of three protocols: ``python speaker.py xboard breakthrough``."""

import random
import re
import sys

from zermelo.protocol.position import read_move, write_coordinates, write_move
from zermelo.registry import make_game

PROTOCOL, NAME = sys.argv[1:]
GAME = make_game(NAME)
MOVE = re.compile(r"[a-h][1-8][a-h][1-8]")


def say(text):
    print(text, flush=True)


class Speaker:
    def __init__(self):
        self.state, self.force, self.is_deep = GAME.initial, False, False
        self.settings = None

    def play(self, text):
        self.state = GAME.result(self.state, read_move(GAME, self.state, text.lower()))

    def move(self, write):
        action = random.choice(GAME.legal_actions(self.state))
        text = write(GAME, self.state, action)
        self.state = GAME.result(self.state, action)
        return text

    def xboard(self, words):
        name, rest = words[0], words[1:]
        if name == "protover":
            say('feature done=0 ping=1 usermove=1 myname="a b"')
            say(f'feature variants="normal,{NAME}" done=1')
        elif name == "new":
            self.__init__()
        elif name == "force":
            self.force = True
        elif name == "ping":
            say(f"pong {rest[0]}")
        elif name == "usermove":
            assert self.force
            self.play(rest[0])
        elif name == "sd":
            self.is_deep = True  # like GNU Chess, it does not know sd
            say(f"Invalid move: sd {rest[0]}")
        elif name == "go":
            self.force = False
            say("7 -12 30 4711 a b c")
            if not self.is_deep:
                say("move " + self.move(write_coordinates))
        elif name == "?" and not self.force:
            say("move " + self.move(write_coordinates))
        elif MOVE.match(name):
            say("Error (usermove was accepted): " + name)

    def gtp(self, words):
        name, rest = words[0], words[1:]
        answer = {"protocol_version": "2"}.get(name, "")
        if name == "time_settings":
            self.settings = rest
        if name == "time_left":
            assert self.settings == ["0", rest[1], rest[2]] == ["0", "2", "1"]  # two seconds for each move
            say("? unknown command\n")
            return
        if name == "clear_board":
            self.__init__()
        elif name == "play":
            assert rest[0] == self.colour()
            self.play(rest[1])
        elif name == "genmove":
            assert rest[0] == self.colour()
            answer = self.move(write_move).upper()
        say(f"= {answer}\n")

    def colour(self):
        return "black" if GAME.to_move(self.state) == GAME.to_move(GAME.initial) else "white"

    def nboard(self, words):
        line = " ".join(words)
        if line.startswith("set game "):
            assert "BO[8 " + 27 * "-" + "O*" in line
            self.__init__()
            for colour, text in re.findall(r"([BW])\[([A-H][1-8]|PA)", line):
                assert colour == self.colour()[0].upper()
                self.play(text)
        elif words[0] == "ping":
            say(f"pong {words[1]}")
        elif line == "go":
            say("status Thinking")
            move = self.move(write_move)
            say(f"=== {'PA' if move == 'pass' else move.upper()}/-1.5/0.01")
            say("status")


speaker = Speaker()
for line in sys.stdin:
    if line.strip() == "quit":
        break
    getattr(speaker, PROTOCOL)(line.split())
