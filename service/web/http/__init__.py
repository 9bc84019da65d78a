"""What HTTP says, and nothing of laws: media, validators, dates, links, problems, names in paths."""
