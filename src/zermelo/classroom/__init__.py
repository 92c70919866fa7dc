"""For teachers: students' programs graded, and courses.

submission   what a student hands in, and how it can fail
python_file  a Python file, run in a process of its own
program      a program in any language, asked over the protocol
grading      a submission beside the handouts' searches: verdicts, the smallest position that differs, and its cause
explanation  a verdict explained, as text and as data
gradescope   the report that Gradescope reads
exercises    search trees to be filled in by hand
slides       slides for a lecture
sheet        the assignment sheet
course       a course in a folder
school       what the scripts of a course do
"""
