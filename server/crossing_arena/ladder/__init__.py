"""A ladder of bots: who meets whom, what came of it, and what that says about their strength."""
