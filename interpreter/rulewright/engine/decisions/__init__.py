"""What a decision offers: options, their keys, which pieces are interchangeable, and why an answer is refused."""
