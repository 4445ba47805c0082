"""The wire, generated from proto/ by `make proto`: never edit it."""
