"""Games that are led to what random ones never come to: by branch distance as the value of a position."""
