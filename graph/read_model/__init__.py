"""The read model: what the rules decide for each norm and provision, as rows of days."""
