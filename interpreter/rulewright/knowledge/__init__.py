"""Knowledge: who may know what of a game, from its program alone, whatever is played.

piece visibility, public values ──► answers    where an answer goes, and which players may so infer it
                                       └──► secrets    what follows from hidden zones, fields and answers
                                               └──► kept results    those that take long, on disk

The audiences in a position are evaluated by ``rulewright.engine.hidden_information``.
"""
