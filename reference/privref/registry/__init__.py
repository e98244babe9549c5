"""Published claims: entries of a deployment registry, reviewed mappings of what they state, and what follows."""
