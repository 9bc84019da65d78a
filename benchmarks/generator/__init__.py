"""What generated sources are made of: prefixes as LexML's portal has them, norms, records, facts, documents."""
