"""Search for what goes wrong: exploring machine code, whole games, what every ruleset must keep."""
