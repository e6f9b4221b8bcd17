"""From declarations in rules files to the symbols and declarations of a program."""
