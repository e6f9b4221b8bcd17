"""Visibility of answers: the players who may know what was answered, when it is answered or once it shows.

`static` has the observers that follow from the program, `dynamic` those that follow from what is carried out after an
answer; `audience` joins both.
"""
