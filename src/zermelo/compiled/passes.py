"""Numba's passes, one after the other. A *pass* is a step of the compiler: it changes or examines one function.

During and after each pass, Numba computes anew where the variables of the function live. After each pass, it also
checks the function, measures time, and reports in text what it has done; and it reports each call of LLVM. Only the
last pass before machine code needs to know where variables live, and computes it itself, and nobody reads the reports.
The machine code is the same without all this.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event, postproc, transforms
from numba.core.compiler_machinery import CompilerPass, PassManager
from numba.core.errors import new_error_context  # type: ignore[attr-defined] # Numba makes it as it is imported
from numba.core.types.functions import BaseFunction

from zermelo.compiled.operations import call_type


class Passes(PassManager):
    """Numba's list of passes, which runs them and does nothing else."""

    def run(self, state: Any) -> None:
        """Run all passes on the function in ``state``. Meanwhile Numba uses three things of ours.

        Numba's lock lets one thread at a time compile, so no other thread meets them.
        """
        with (
            _lent(postproc, "PostProcessor", _LivesWhenNeeded),
            _lent(event, "broadcast", _tell_nobody),
            _lent(BaseFunction, "get_call_type", call_type),
        ):
            super().run(state)

    def _runPass(self, index: int, pss: CompilerPass, internal_state: Any) -> None:  # noqa: N802 # Numba's name
        """Run one pass; an error says in which."""
        del index
        pss.analysis = self._analysis
        with new_error_context("Pass {name}", name=pss.name()):
            pss.run_initialization(internal_state)
            pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)


class _LivesWhenNeeded(postproc.PostProcessor):
    """Finds where the variables of a function live, if somebody asks."""

    def run(self, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        """Bring the blocks into their usual form; find out the rest for generators, and for the end of variables."""
        function = self.func_ir
        if emit_dels or function.is_generator:
            super().run(emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.generator_info = None


def _tell_nobody(event: event.Event) -> None:
    """Take the place of the function that tells listeners of an event."""


@contextmanager
def _lent(owner: object, name: str, ours: object) -> Iterator[None]:
    """Put something of ours in the place of what ``owner`` has under that name, and put that back in the end."""
    usual = getattr(owner, name)
    setattr(owner, name, ours)
    try:
        yield
    finally:
        setattr(owner, name, usual)


def without_reports(usual: PassManager) -> Passes:
    """Return the same passes as ``usual``."""
    passes = Passes(usual.pipeline_name)
    for kind, description in usual.passes:
        passes.add_pass(kind, description)
    passes.finalize()
    return passes
