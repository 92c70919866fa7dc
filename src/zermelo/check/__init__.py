"""The auditor of a game's rules: it plays the game, checks every position, and explains each mistake that it finds.

Modules
    report      findings and numbers, and how they are printed
    answers     what type of answer each function must give
    inspector   calls a game's functions so that no error in them ends the audit
    explore     finds positions, with the shortest known actions that lead to them
    rules       checks of the five functions that every game has
    texts       checks of what people see and type: pictures, texts, names of actions
    knowledge   checks of what engines and solvers are told: keys, symmetries, tiers
    endings     whether play ends: positions that repeat, games that go on, the size of wins
    values      checks of what the game says about small endings, against proven values
    lopsided    statistics that look like a mistake
    machine     compares compiled rules with interpreted ones
    balance     numbers about the game: sizes, lengths, who wins, speed
    clock       measures the processor time of an audit
    coverage    what an audit did not check
    audit       runs all checks within a given time
    start       the quick check with which every command begins
"""

from zermelo.check.audit import check_game
from zermelo.check.report import Finding, Report

__all__ = ["Finding", "Report", "check_game"]
