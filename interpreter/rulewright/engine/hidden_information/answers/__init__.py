"""Players who may know an answer or a question, in a position: once it is given, or once it shows."""
