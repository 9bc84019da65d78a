"""The resolver of LexML part 5 and RFC 9676, section 10: turns user input into names, and reports each step."""
