"""Information flow of programs: who may know what, from the rules alone."""
