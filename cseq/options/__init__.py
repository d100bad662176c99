"""The parameters that stages of several families share; each is declared once."""
