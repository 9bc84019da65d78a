-- The first day in force of each norm or provision, as known on :known, and the first day after it with a final status.
WITH known AS (
  SELECT provision, valid_from, status FROM history
  WHERE axes IN (1, 3) AND known_from <= :known AND known_until > :known
), begun AS (
  SELECT provision, MIN(valid_from) AS day FROM known WHERE status = 'in-force' AND valid_from <= :known
  GROUP BY provision
)
SELECT norm.iri AS norm, provision.fragment AS fragment, begun.day AS first, MIN(known.valid_from) AS ended
FROM begun
JOIN provision ON provision.id = begun.provision
JOIN norm ON norm.id = provision.norm
LEFT JOIN known ON known.provision = begun.provision AND known.valid_from > begun.day
  AND known.status IN ('revoked', 'annulled', 'expired', 'converted', 'vetoed')
GROUP BY norm.iri, provision.fragment, begun.day
ORDER BY norm, fragment
