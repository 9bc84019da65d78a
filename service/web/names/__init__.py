"""What a name in an address leads to: the resolver, the versions of a norm, and why none answers."""
