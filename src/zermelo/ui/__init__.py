"""What people see: the command line and the terminal. Nothing imports this room."""
