-- The changes of status or version on days from :since to before :until, as known on :known, on the axis of force.
-- What a norm quotes of other norms is left out. The numbers of provisions from :first to before :last contain that of
-- their norm.
WITH step AS (
  SELECT provision, valid_from, valid_until, status, version, because,
    LAG(valid_until) OVER following AS end_before,
    LAG(status) OVER following AS status_before,
    LAG(version) OVER following AS version_before
  FROM history
  WHERE axes IN (1, 3) AND known_from <= :known AND known_until > :known
    AND provision >= :first AND provision < :last
  WINDOW following AS (PARTITION BY provision ORDER BY valid_from)
)
SELECT norm.iri AS norm, provision.fragment AS fragment, step.valid_from AS day,
  CASE WHEN step.end_before = step.valid_from THEN step.status_before ELSE 'not-published' END AS before,
  step.status AS after,
  CASE WHEN SUBSTR(edition.name, 1, 1) = '=' THEN SUBSTR(edition.name, 2) WHEN provision.fragment = '' THEN edition.name
    ELSE edition.name || '!' || provision.fragment END AS version,
  reasons.packed AS because
FROM step
JOIN provision ON provision.id = step.provision
JOIN norm ON norm.id = provision.norm
LEFT JOIN edition ON edition.id = step.version
LEFT JOIN reasons ON reasons.id = step.because
WHERE INSTR(provision.fragment, '_alt') = 0 AND step.valid_from >= :since AND step.valid_from < :until
  AND (step.end_before IS NULL OR step.end_before <> step.valid_from OR step.status <> step.status_before
    OR COALESCE(step.version, '') <> COALESCE(step.version_before, ''))
ORDER BY norm, step.provision, day
