"""HTTP without any knowledge of law: media types, validators, dates, problem details, names in paths."""
