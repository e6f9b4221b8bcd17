"""Single mistakes, put into rulesets that are in order, and what the checker makes of them.

book     a ruleset as texts and trees, and the tools to change it at one place
kinds    the list of kinds; a kind finds all the places where its mistake could be made
naming, values, calling, labelling, flowing, writing, hiding, leaving, filing    the kinds by topic
running  makes the mistakes in copies of the rulesets and checks these
report   the tables
"""
