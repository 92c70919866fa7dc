"""Let submissions play against each other.

    python teacher/tournament.py SUBMISSION.py ...
"""

import sys
from pathlib import Path

from zermelo.classroom.school import play_tournament

if __name__ == "__main__":
    sys.exit(play_tournament(Path(__file__).parents[1], [Path(name) for name in sys.argv[1:]]))
