"""The bundled sample: records written from the facts printed in the LexML specifications."""
