-- Foreign keys are declared for readers and never enforced. Times are local wall time as text.
-- The order of the tables is the order in which /state shows them.

CREATE TABLE patients (
  id TEXT PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  dob TEXT NOT NULL,
  zip TEXT NOT NULL,
  phone_e164 TEXT,
  home_office_id TEXT REFERENCES locations (id),
  language TEXT NOT NULL DEFAULT 'en',
  balance_cents INTEGER NOT NULL DEFAULT 0,
  carrier TEXT,
  member_id TEXT,
  plan_name TEXT
);

CREATE TABLE locations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  zip TEXT NOT NULL,
  offers_cosmetic INTEGER NOT NULL DEFAULT 0,
  address TEXT NOT NULL DEFAULT '',
  floor TEXT NOT NULL DEFAULT '',
  suite TEXT NOT NULL DEFAULT '',
  hours TEXT NOT NULL DEFAULT '',
  services TEXT NOT NULL DEFAULT '',
  transit TEXT NOT NULL DEFAULT '',
  parking TEXT NOT NULL DEFAULT ''
);

CREATE TABLE providers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  credentials TEXT NOT NULL,
  location_id TEXT NOT NULL REFERENCES locations (id)
);

CREATE TABLE appointments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  patient_id TEXT REFERENCES patients (id),
  location_id TEXT NOT NULL REFERENCES locations (id),
  provider_id TEXT NOT NULL REFERENCES providers (id),
  appointment_type_code TEXT NOT NULL,
  start TEXT NOT NULL,
  "end" TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'booked',
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

-- Repeating an allergy service at one office for one patient (or one unverified caller) finds the booked row again.
-- GLOB keeps the underscore literal and the upper case exact; in LIKE it would stand for any character.
CREATE UNIQUE INDEX booked_allergy_service
ON appointments (coalesce(patient_id, ''), location_id, appointment_type_code)
WHERE status = 'booked' AND appointment_type_code GLOB 'ALLERGY_*' AND appointment_type_code <> 'ALLERGY_EVAL';

CREATE TABLE waitlist (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  patient_id TEXT REFERENCES patients (id),
  appointment_type_code TEXT NOT NULL,
  location_ids JSON TEXT NOT NULL,
  earliest TEXT,
  latest TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE tool_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  payload JSON TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);
