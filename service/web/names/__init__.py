"""Names in addresses: their parameters, the versions that they identify, and the problems where none answers."""
