"""The commands of the program, one module each, named as the command is typed."""
