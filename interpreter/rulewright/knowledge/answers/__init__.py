"""The flow of answers: the zones and fields they go to, the lines that show them, the questions that follow them."""
