"""The resolver of LexML part 5 and RFC 9676, section 10: from what people write to names, with every step told."""
