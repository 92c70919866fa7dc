"""Games of chess in Portable Game Notation: the package `chess` reads what we write, and we read what others write."""

from dataclasses import replace
from io import StringIO

import chess.pgn
import pytest

from zermelo.errors import BadParameter
from zermelo.games import tictactoe
from zermelo.games.chess import chess as game_of_chess
from zermelo.lab import Adjudication, TimeControl, play_match, random_openings, read_openings
from zermelo.lab.competitors import PlayerCompetitor
from zermelo.lab.pgn import games_text
from zermelo.play import Match, make_player
from zermelo.play.pgn import read_pgn

GAME = game_of_chess()
CONTROL = TimeControl(base=60, increment=0.5)
OTHERS = """[Event "?"]
[White "Somebody, S."]
[Black "Else"]
[Result "1-0"]

1. e4 {best by test} e5 2. Qh5 $2 (2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5) 2... Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0

[Event "A study"]
[SetUp "1"]
[FEN "8/8/4k3/8/8/8/4P3/4K3 b - - 0 40"]

40... Kd5 41. Kd2 *
"""


def players_of(game):
    """Two that play at random, in this process."""

    def white():
        return PlayerCompetitor(make_player("random:seed=1", game))

    def black():
        return PlayerCompetitor(make_player("random:seed=2", game))

    return white, black


@pytest.mark.parametrize("start", [518, 0])
def test_the_package_chess_reads_the_games_of_a_match(start):
    game = game_of_chess(start=start)
    openings = random_openings(game, 1, 6, balanced=False)
    most = Adjudication(plies=40)
    played = play_match(game, *players_of(game), games=2, openings=openings, control=CONTROL, adjudication=most).games
    played = tuple(replace(one, scores=tuple(range(-17, 17))) for one in played)
    text = games_text(game, played, CONTROL, "a match")
    assert max(map(len, text.splitlines())) <= 79
    source = StringIO(text)
    for one in played:
        found = chess.pgn.read_game(source)
        assert found is not None and not found.errors
        assert [node.san() for node in found.mainline()] == list(one.moves)
        assert found.end().board().fen().split()[:4] == game.to_text(game.replay(one.moves)).split()[:4]
        headers = found.headers
        assert (headers["White"], headers["Black"]) == (one.first, one.second)
        assert headers["Result"] == {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}[one.points]
        assert headers["Termination"] == ("adjudication" if one.ending == "plies" else "normal")
        assert headers["TimeControl"] == "60+0.5"
        assert headers["Date"] == headers["UTCDate"] == one.began[:10].replace("-", ".")
        said = list(found.mainline())[one.plies :]
        assert [node.eval().relative.score() for node in said] == [-(score or 0) for score in one.scores[: len(said)]]
        assert [node.emt() for node in said] == pytest.approx(one.seconds, abs=0.001)
    assert chess.pgn.read_game(source) is None
    assert [game.replay(actions, start) for start, actions in game.read_pgn(text)] == [
        game.replay(one.moves) for one in played
    ]


def test_mates_and_reasons_are_told():
    played = play_match(GAME, *players_of(GAME), games=2, openings=[()], adjudication=Adjudication(plies=2)).games[0]
    played = replace(played, scores=(99_997, -99_998), ending="time", points=0, reason='"A {clever} move" took 9 s.')
    found = chess.pgn.read_game(StringIO(games_text(GAME, [played], TimeControl(nodes=10), "a match")))
    assert found is not None and not found.errors
    assert [node.eval().white().mate() for node in found.mainline()] == [3, 2]
    assert (found.headers["Termination"], found.headers["TimeControl"]) == ("time forfeit", "-")
    assert '"A (clever) move" took 9 s.' in found.end().comment


def test_a_match_of_people_is_saved_and_read_back(tmp_path):
    start = GAME.from_text("4k3/8/8/8/4p3/8/3P4/4K3 w - - 3 1")
    match = Match(GAME, "human", "human", "d4 exd3 Kd2", start)
    match.save(tmp_path / "game.pgn")
    found = chess.pgn.read_game(StringIO((tmp_path / "game.pgn").read_text()))
    assert found is not None and found.headers["Result"] == "*" and found.headers["SetUp"] == "1"
    assert [move.uci() for move in found.mainline_moves()] == ["d2d4", "e4d3", "e1d2"]
    assert read_pgn(GAME, tmp_path / "game.pgn") == [(start, match.actions)]
    with pytest.raises(BadParameter, match=r"Games of tictactoe cannot be written as PGN"):
        Match(tictactoe(), "human", "human").save(tmp_path / "other.pgn")


def test_games_of_others_are_read_without_their_variations(tmp_path):
    (_, first), (start, second) = GAME.read_pgn(OTHERS)
    assert GAME.replay(first) == GAME.replay("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#") and len(first) == 7
    assert GAME.to_text(GAME.replay(second, start)).split()[0] == "8/8/8/3k4/8/8/3KP3/8"
    file = tmp_path / "book.pgn"
    file.write_text(OTHERS.split('[Event "A study"]')[0] * 2)
    assert [len(opening) for opening in read_openings(file, GAME, 4)] == [4]
    with pytest.raises(BadParameter, match=r"game 1: the game is over after these moves; give --plies\."):
        read_openings(file, GAME)
    file.write_text(OTHERS)
    with pytest.raises(BadParameter, match="game 2: it begins in another position"):
        read_openings(file, GAME, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no game in PGN."),
        ("no chess at all", "game 1: it has neither tags nor moves."),
        ("1. e4 e5 2. Bc8 *", "game 1: "),
        ('[FEN "nonsense"]\n\n1. e4 *', "game 1: "),
        ('[Variant "Atomic"]\n\n1. e4 e5 2. -- *', "game 1: "),
    ],
)
def test_games_that_cannot_be_played_are_refused(text, words, tmp_path, capfd):
    (tmp_path / "game.pgn").write_text(text)
    with pytest.raises(BadParameter, match=words):
        read_pgn(GAME, tmp_path / "game.pgn")
    assert capfd.readouterr() == ("", "")
