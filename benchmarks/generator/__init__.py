"""Parts of generated sources: prefixes as in LexML's portal, norms, records, facts, documents."""
