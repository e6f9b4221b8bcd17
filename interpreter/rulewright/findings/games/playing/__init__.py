"""Games that are played to learn what rules do: the one loop of all analyses, and what it counts.

budget ──► pairs (a number of players each) ──► tally            one game after the other, uses are counted
                                                 └──► probes     conditions are counted like uses of rules
seat exchange, straight line, program words                      what several analyses compare

Counts are of games at random, all drawn alike, which machine code plays as it does any others. Runs that explore would
come further, but their counts are no shares of games: they go on from what is rare.
"""
