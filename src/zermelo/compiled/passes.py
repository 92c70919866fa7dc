"""Numba's passes, one after the other. A *pass* is a step of the compiler: it changes or examines one function.

After each pass, Numba checks the function, computes anew where its variables live, measures time, and reports in text
what it has done. The last pass before machine code computes the same anyway, and nobody reads the reports. The machine
code is the same without all this.
"""

from typing import Any

from numba.core.compiler_machinery import CompilerPass, PassManager
from numba.core.errors import new_error_context  # type: ignore[attr-defined] # Numba makes it as it is imported


class Passes(PassManager):
    """Numba's list of passes, which runs them and does nothing else."""

    def _runPass(self, index: int, pss: CompilerPass, internal_state: Any) -> None:  # noqa: N802 # Numba's name
        """Run one pass; an error says in which."""
        del index
        pss.analysis = self._analysis
        with new_error_context("Pass {name}", name=pss.name()):
            pss.run_initialization(internal_state)
            pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)


def without_reports(usual: PassManager) -> Passes:
    """Return the same passes as ``usual``."""
    passes = Passes(usual.pipeline_name)
    for kind, description in usual.passes:
        passes.add_pass(kind, description)
    passes.finalize()
    return passes
