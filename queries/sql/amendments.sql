-- The acts that made versions of each norm, the number of names of which they made one, and the first day of force of
-- these versions, as known on :known. The numbers of provisions from :first to before :last contain that of their norm.
SELECT made.act AS act, norm.iri AS norm, COUNT(DISTINCT made.provision) AS provisions,
  MIN(history.valid_from) AS first
FROM made
JOIN provision ON provision.id = made.provision
JOIN norm ON norm.id = provision.norm
LEFT JOIN history ON history.provision = made.provision AND history.version = made.version
  AND history.axes IN (1, 3) AND history.valid_from > 1
  AND history.known_from <= :known AND history.known_until > :known
WHERE made.provision >= :first AND made.provision < :last
GROUP BY made.act, norm.iri
ORDER BY norm, act
