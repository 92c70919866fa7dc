"""Grade submissions: a report for each student, and grades.csv.

    python teacher/grade.py SUBMISSION.py ...
"""

import sys
from pathlib import Path

from zermelo.classroom.school import grade_class

if __name__ == "__main__":
    sys.exit(grade_class(Path(__file__).parents[1], [Path(name) for name in sys.argv[1:]]))
