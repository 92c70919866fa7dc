"""How the process of the command ``zermelo`` ends."""

import subprocess
import sys

from running import PATIENCE

STILL_RUNNING = """
import atexit, sys, time
from zermelo import __main__ as program
from zermelo.compiled.apart import DeepThread
from zermelo.ui import cli

def work():
    DeepThread(target=time.sleep, args=(3600,), daemon=True).start()
    sys.exit(130)

atexit.register(print, "Python tidied up")
cli.main = {command}
program.main()
"""


def status_and_output(command: str) -> tuple[int, str]:
    """Run a script in which the command line is ``command``; its exit status, and what it printed."""
    script = STILL_RUNNING.format(command=command)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=PATIENCE, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_process_whose_threads_run_kernels_ends_before_python_frees_what_they_use():
    assert status_and_output("work") == (130, "")


def test_a_process_without_such_threads_ends_in_the_usual_way():
    assert status_and_output("lambda: sys.exit(3)") == (3, "Python tidied up\n")
