-- How many norms of each document type had each status from each day on which that number changed, as known on :known.
-- Norms that no source dates are left out.
WITH dated AS (
  SELECT norm.type AS type, history.status AS status, history.valid_from AS first, history.valid_until AS last
  FROM history
  JOIN provision ON provision.id = history.provision
  JOIN norm ON norm.id = provision.norm
  WHERE provision.fragment = '' AND provision.own = 1 AND history.axes IN (1, 3)
    AND history.status IN ('in-force', 'unknown')
    AND history.known_from <= :known AND history.known_until > :known
), bound AS (
  SELECT type, status, first AS day, 1 AS change FROM dated
  UNION ALL
  SELECT type, status, last, -1 FROM dated
)
SELECT type, status, day, SUM(SUM(change)) OVER (PARTITION BY type, status ORDER BY day) AS norms
FROM bound
GROUP BY type, status, day
ORDER BY type, status, day
