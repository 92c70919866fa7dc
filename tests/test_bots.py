"""The example bots in other languages: they play whole games of legal moves, and see wins that are one ply away."""

import random
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.games import connect
from zermelo.lab.competitors import make_competitor
from zermelo.protocol.commands import Go

BOTS = Path(__file__).parents[1] / "examples" / "bots"
GAME = connect()
RUN = {".py": [sys.executable], ".js": ["node"], ".java": ["java", "-Xmx64m"]}
GO = Go(move_time=10_000)


def command(bot, folder):
    """How a bot is run; C++ is compiled first."""
    if bot.suffix == ".cpp":
        if shutil.which("g++") is None:
            pytest.skip("there is no g++")
        built = folder / bot.stem
        subprocess.run(["g++", "-Wall", "-Wextra", "-Werror", "-o", built, bot], check=True)
        return str(built)
    if shutil.which(RUN[bot.suffix][0]) is None:
        pytest.skip(f"there is no {RUN[bot.suffix][0]}")
    return shlex.join([*RUN[bot.suffix], str(bot)])


@pytest.mark.parametrize("bot", sorted(BOTS.iterdir()), ids=lambda bot: bot.name)
def test_a_bot_plays(bot, tmp_path):
    competitor = make_competitor(f"program:{command(bot, tmp_path)}", GAME, seed=3)
    games = []
    for number in (0, 0, 1):
        competitor.new_game(number)
        chooser, states, actions = random.Random(1), [GAME.initial], []
        while not GAME.is_terminal(states[-1]):
            if len(actions) % 2:
                actions.append(chooser.choice(GAME.legal_actions(states[-1])))
            else:
                actions.append(competitor.choose(states, actions, GO).action)
            states.append(GAME.result(states[-1], actions[-1]))
        games.append(actions)
    assert games[0] == games[1]  # the same seed, the same game
    assert games[0] != games[2]
    if "one" in bot.name.lower():
        for actions, wanted in (([3, 0, 3, 0, 3, 1], 3), ([3, 0, 3, 0, 1, 0], 0), ([0, 1, 0, 2, 6, 3, 6], 4)):
            states = [GAME.replay(actions[:place]) for place in range(len(actions) + 1)]
            assert competitor.choose(states, actions, GO).action == wanted
    competitor.close()


def test_bots_are_short():
    assert {bot.suffix for bot in BOTS.iterdir()} == {".py", ".js", ".java", ".cpp"}
    assert max(len(bot.read_text().splitlines()) for bot in BOTS.iterdir()) <= 60
