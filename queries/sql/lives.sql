-- The first day in force of each norm or provision, as known on :known, the first day after it with a final status, and
-- the day after the last one before that whose status is certain. The first day is null if the sources leave it
-- open. What a norm quotes of other norms is left out.
WITH known AS (
  SELECT provision, valid_from, valid_until, status FROM history
  WHERE axes IN (1, 3) AND known_from <= :known AND known_until > :known
), begun AS (
  SELECT provision, MIN(CASE WHEN status = 'in-force' THEN valid_from END) AS day
  FROM known
  WHERE status IN ('in-force', 'unknown') AND valid_from <= :known
  GROUP BY provision
), life AS (
  SELECT begun.provision AS provision, MIN(final.valid_from) AS ended,
    CASE WHEN MAX(doubt.provision) IS NULL THEN MIN(begun.day) END AS day
  FROM begun
  LEFT JOIN known AS final ON final.provision = begun.provision AND final.valid_from > begun.day
    AND final.status IN ('revoked', 'annulled', 'expired', 'converted', 'vetoed')
  LEFT JOIN known AS doubt ON doubt.provision = begun.provision AND doubt.valid_until = begun.day
    AND doubt.status = 'unknown'
  GROUP BY begun.provision
)
SELECT norm.iri AS norm, provision.fragment AS fragment, life.day AS first, life.ended AS ended,
  MAX(known.valid_until) AS sure
FROM life
JOIN provision ON provision.id = life.provision
JOIN norm ON norm.id = provision.norm
LEFT JOIN known ON known.provision = life.provision AND known.valid_from >= life.day AND known.status <> 'unknown'
  AND (life.ended IS NULL OR known.valid_from < life.ended)
WHERE INSTR(provision.fragment, '_alt') = 0
GROUP BY norm.iri, provision.fragment, life.day, life.ended
ORDER BY norm, fragment
