"""Mistakes planted in right searches are found, and most of them are named."""

from planted import judge, mutants


def test_mutants_are_found_and_named() -> None:
    """`benchmarks/homework_mutants.py` prints the figures."""
    judged = [judge(mutant) for mutant in mutants()]
    assert len(judged) >= 60
    missed = [one.mutant.cause for one in judged if not one.found]
    assert len(missed) <= 0.1 * len(judged), missed
    unnamed = [(one.mutant.cause, one.named) for one in judged if not one.named_rightly]
    assert len(unnamed) <= 0.3 * len(judged), unnamed
