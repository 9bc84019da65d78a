-- The tables that the questions of this folder read, as views over the Parquet tables of a build, which have the names
-- build_norm, build_provision, build_history and build_made. Numbers of provisions are strings: '' to '~' for all.
CREATE OR REPLACE TEMPORARY VIEW norm AS
SELECT norm AS id, norm AS iri, place, authority, type, year FROM build_norm;

CREATE OR REPLACE TEMPORARY VIEW provision AS
SELECT CONCAT(norm, '!', LPAD(CAST(place AS STRING), 8, '0')) AS id, norm, fragment, parent, CAST(own AS INT) AS own
FROM build_provision;

CREATE OR REPLACE TEMPORARY VIEW edition AS
SELECT DISTINCT version AS id, CONCAT('=', version) AS name FROM build_history WHERE version IS NOT NULL;

CREATE OR REPLACE TEMPORARY VIEW history AS
SELECT CONCAT(norm, '!', LPAD(CAST(place AS STRING), 8, '0')) AS provision, axes, status, version, words, shown, rule,
  about, CAST(to_json(because) AS STRING) AS because,
  CAST(valid_from - DATE '0001-01-01' AS INT) + 1 AS valid_from,
  COALESCE(CAST(valid_until - DATE '0001-01-01' AS INT) + 1, 4194303) AS valid_until,
  CAST(known_from - DATE '0001-01-01' AS INT) + 1 AS known_from,
  COALESCE(CAST(known_until - DATE '0001-01-01' AS INT) + 1, 4194303) AS known_until
FROM build_history;

CREATE OR REPLACE TEMPORARY VIEW reasons AS
SELECT DISTINCT because AS id, because AS packed FROM history WHERE because <> '[]';

CREATE OR REPLACE TEMPORARY VIEW made AS
SELECT CONCAT(norm, '!', LPAD(CAST(place AS STRING), 8, '0')) AS provision, version, act FROM build_made
