-- Where a call begins. Everything below callers is reference data that /state leaves out (hidden_tables of pack.json).

INSERT INTO callers (id, name, phone)
VALUES
  ('c_001', 'Dana Whitfield', '5105550142'),
  ('c_002', 'Marcus Oyelaran', '4155550188'),
  ('c_003', 'Priya Raghunathan', '2065550119'),
  ('c_004', 'Thomas Eckhart', '3125550277'),
  ('c_005', 'Ruth Kealoha', '8085550233');

INSERT INTO caller_matters (matter_id, caller_id, practice_area, represented, firm)
VALUES
  ('m_88', 'c_002', 'family', 1, 'Croft & Blake'),
  ('m_91', 'c_004', 'auto_accident', 0, NULL);

-- A party that is not listed is clear.
INSERT INTO conflicts (party, status)
VALUES
  ('vertex logistics', 'conflict'),
  ('northgate insurance', 'conflict'),
  ('harlow properties', 'unclear'),
  ('st. benedict medical center', 'unclear');

-- Percentages and dollars are what the tools answer; 33.33 is said as thirty-three and one third.
INSERT INTO practice_areas (code, accepted, fee_type, pct_prefiling, pct_litigation, consult_fee)
VALUES
  ('auto_accident', 1, 'contingency', 33.33, 40.0, 0),
  ('premises_liability', 1, 'contingency', 33.33, 40.0, 0),
  ('medical_malpractice', 1, 'contingency', 33.33, 40.0, 0),
  ('employment', 1, 'contingency', 33.33, 40.0, 0),
  ('workers_comp', 1, 'contingency', 20.0, 20.0, 0),
  ('product_liability', 1, 'contingency', 33.33, 40.0, 0),
  ('consumer', 1, 'hourly', 0.0, 0.0, 175),
  ('criminal', 0, NULL, 0.0, 0.0, 0),
  ('family', 0, NULL, 0.0, 0.0, 0),
  ('immigration', 0, NULL, 0.0, 0.0, 0),
  ('bankruptcy', 0, NULL, 0.0, 0.0, 0),
  ('patent', 0, NULL, 0.0, 0.0, 0);

-- default is the firm's list; an area with rows of its own has those only. The order is the order in which tools list them.
INSERT INTO jurisdictions (practice_area, state)
VALUES
  ('default', 'CA'), ('default', 'FL'), ('default', 'NY'), ('default', 'TX'), ('default', 'GA'),
  ('default', 'IL'), ('default', 'WA'), ('default', 'PA'), ('default', 'NC'),
  ('medical_malpractice', 'FL'), ('medical_malpractice', 'GA'), ('medical_malpractice', 'NY'),
  ('workers_comp', 'CA'), ('workers_comp', 'FL'), ('workers_comp', 'GA'), ('workers_comp', 'TX');

-- IL, PA and NC are licensed without a period, AZ has periods without a licence.
INSERT INTO limitation_periods (state, practice_area, years)
VALUES
  ('CA', 'auto_accident', 2.0), ('CA', 'premises_liability', 2.0), ('CA', 'medical_malpractice', 1.0),
  ('CA', 'employment', 3.0), ('CA', 'workers_comp', 1.0), ('CA', 'product_liability', 2.0),
  ('CA', 'consumer', 4.0),
  ('FL', 'auto_accident', 2.0), ('FL', 'premises_liability', 4.0), ('FL', 'medical_malpractice', 2.0),
  ('FL', 'employment', 4.0), ('FL', 'workers_comp', 2.0), ('FL', 'product_liability', 4.0),
  ('FL', 'consumer', 4.0),
  ('NY', 'auto_accident', 3.0), ('NY', 'premises_liability', 3.0), ('NY', 'medical_malpractice', 2.5),
  ('NY', 'employment', 3.0), ('NY', 'workers_comp', 2.0), ('NY', 'product_liability', 3.0),
  ('NY', 'consumer', 6.0),
  ('TX', 'auto_accident', 2.0), ('TX', 'premises_liability', 2.0), ('TX', 'medical_malpractice', 2.0),
  ('TX', 'employment', 2.0), ('TX', 'workers_comp', 1.0), ('TX', 'product_liability', 2.0),
  ('TX', 'consumer', 4.0),
  ('GA', 'auto_accident', 2.0), ('GA', 'premises_liability', 2.0), ('GA', 'medical_malpractice', 2.0),
  ('GA', 'employment', 2.0), ('GA', 'workers_comp', 1.0), ('GA', 'product_liability', 2.0),
  ('GA', 'consumer', 4.0),
  ('WA', 'auto_accident', 3.0), ('WA', 'premises_liability', 3.0), ('WA', 'medical_malpractice', 3.0),
  ('WA', 'employment', 3.0), ('WA', 'workers_comp', 1.0), ('WA', 'product_liability', 3.0),
  ('WA', 'consumer', 4.0),
  ('AZ', 'auto_accident', 2.0), ('AZ', 'premises_liability', 2.0), ('AZ', 'medical_malpractice', 1.0),
  ('AZ', 'employment', 3.0), ('AZ', 'workers_comp', 1.0), ('AZ', 'product_liability', 2.0),
  ('AZ', 'consumer', 4.0);

INSERT INTO attorneys (id, name, practice_areas, bar_states)
VALUES
  ('a_10', 'Priya Raghunathan', '["employment","consumer"]', '["CA","WA"]'),
  ('a_11', 'Tom Eckhart', '["auto_accident","premises_liability"]', '["CA","AZ","TX"]'),
  ('a_12', 'Ruth Kealoha', '["medical_malpractice"]', '["FL","GA"]'),
  ('a_13', 'Daniel Okonkwo', '["auto_accident","product_liability","workers_comp"]', '["FL","GA","NY"]');

-- All openings there are; none is ever added.
INSERT INTO slots (id, attorney_id, starts_at, status)
VALUES
  ('s_100', 'a_10', '2026-08-12T10:00', 'open'),
  ('s_101', 'a_10', '2026-08-13T14:00', 'open'),
  ('s_110', 'a_11', '2026-08-11T09:00', 'open'),
  ('s_111', 'a_11', '2026-08-12T15:30', 'open'),
  ('s_120', 'a_12', '2026-08-14T11:00', 'open'),
  ('s_130', 'a_13', '2026-08-11T08:30', 'open'),
  ('s_131', 'a_13', '2026-08-15T13:00', 'open');

-- Only matters that this firm handles.
INSERT INTO matter_status (matter_id, caller_id, status, status_text, case_manager)
VALUES
  ('m_91', 'c_004', 'records_requested', 'Your medical records were asked for and are on their way to us. Nothing is needed from you right now.', 'Allison Fontaine');
