"""The lint rules, one a file, in a folder for what they are about; they are found by looking into these folders."""
