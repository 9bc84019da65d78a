-- The norms in force on :on, as known on :known, and their provisions that have periods of their own.
SELECT norm.iri AS norm, provision.fragment AS fragment,
  CASE WHEN SUBSTR(edition.name, 1, 1) = '=' THEN SUBSTR(edition.name, 2) WHEN provision.fragment = '' THEN edition.name
    ELSE edition.name || '!' || provision.fragment END AS version
FROM history
JOIN provision ON provision.id = history.provision
JOIN norm ON norm.id = provision.norm
JOIN edition ON edition.id = history.version
WHERE history.status = 'in-force' AND history.axes IN (:axis, 3)
  AND history.valid_from <= :on AND history.valid_until > :on
  AND history.known_from <= :known AND history.known_until > :known
  AND (provision.fragment = '' OR provision.own = 1)
ORDER BY norm, fragment
