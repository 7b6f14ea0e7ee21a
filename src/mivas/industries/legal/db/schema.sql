-- Foreign keys are declared for readers and never enforced.
-- The first eight tables, in this order, are what /state shows; the rest is reference data (hidden_tables of pack.json).

CREATE TABLE callers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  phone TEXT NOT NULL
);

CREATE TABLE intakes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  caller_id TEXT NOT NULL REFERENCES callers (id),
  practice_area TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT '',
  incident_date TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE intake_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  caller_id TEXT NOT NULL REFERENCES callers (id),
  note TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  caller_id TEXT NOT NULL REFERENCES callers (id),
  kind TEXT NOT NULL,
  target TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

-- The token is fixed for each kind, so a second hold of a kind takes the place of the first.
CREATE TABLE holds (
  token TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  caller_id TEXT NOT NULL DEFAULT '',
  slot_id TEXT REFERENCES slots (id),
  evaluation_id TEXT REFERENCES evaluations (id),
  practice_area TEXT,
  reason TEXT,
  summary TEXT NOT NULL DEFAULT '',
  consumed INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE evaluations (
  id TEXT PRIMARY KEY,
  caller_id TEXT NOT NULL DEFAULT '',
  slot_id TEXT REFERENCES slots (id),
  attorney_id TEXT REFERENCES attorneys (id),
  starts_at TEXT,
  fee_type TEXT,
  status TEXT NOT NULL DEFAULT 'booked',
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  caller_id TEXT NOT NULL REFERENCES callers (id),
  for_whom TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

-- An escalation of a caller nobody identified has a blank caller_id.
CREATE TABLE escalations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  caller_id TEXT NOT NULL DEFAULT '',
  reason_code TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE caller_matters (
  matter_id TEXT PRIMARY KEY,
  caller_id TEXT NOT NULL REFERENCES callers (id),
  practice_area TEXT NOT NULL,
  represented INTEGER NOT NULL DEFAULT 0,
  firm TEXT
);

CREATE TABLE conflicts (
  party TEXT PRIMARY KEY,
  status TEXT NOT NULL
);

CREATE TABLE practice_areas (
  code TEXT PRIMARY KEY,
  accepted INTEGER NOT NULL,
  fee_type TEXT,
  pct_prefiling REAL NOT NULL DEFAULT 0,
  pct_litigation REAL NOT NULL DEFAULT 0,
  consult_fee INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE jurisdictions (
  practice_area TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (practice_area, state)
);

CREATE TABLE limitation_periods (
  state TEXT NOT NULL,
  practice_area TEXT NOT NULL,
  years REAL NOT NULL,
  PRIMARY KEY (state, practice_area)
);

CREATE TABLE attorneys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  practice_areas JSON TEXT NOT NULL,
  bar_states JSON TEXT NOT NULL
);

CREATE TABLE slots (
  id TEXT PRIMARY KEY,
  attorney_id TEXT NOT NULL REFERENCES attorneys (id),
  starts_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open'
);

CREATE TABLE matter_status (
  matter_id TEXT PRIMARY KEY,
  caller_id TEXT NOT NULL REFERENCES callers (id),
  status TEXT NOT NULL,
  status_text TEXT NOT NULL,
  case_manager TEXT NOT NULL
);
