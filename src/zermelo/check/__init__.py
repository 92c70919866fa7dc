"""The auditor of a game's rules: it plays, looks, and explains what it finds.

Modules
    report      findings and numbers, and how they read
    answers     what kind of answer each function must give
    inspector   asking a game's functions so that nothing they do brings the audit down
    explore     positions, with the shortest actions that were found to lead to them
    rules       what every game must keep, position by position
    texts       what people see and type: pictures, texts, names of actions
    knowledge   what engines and solvers are told: keys, symmetries, tiers
    endings     whether play ends: positions that repeat, games that go on, the size of wins
    values      what can be proven of small endings, and what the game says of them
    lopsided    statistics that look like a mistake
    machine     the rules as machine code against the same rules interpreted
    balance     the numbers that an inventor asks for
    clock       time that does not depend on what else a machine does
    coverage    what an audit had no time for
    audit       all of it, within a time
    start       the first look that commands take
"""

from zermelo.check.audit import check_game
from zermelo.check.report import Finding, Report

__all__ = ["Finding", "Report", "check_game"]
