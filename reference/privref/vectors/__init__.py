"""The oracle: golden vectors per statement, a judge of other implementations, and what today's libraries get wrong."""
