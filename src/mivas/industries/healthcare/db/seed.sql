-- Where a call begins. created_at is a fixed moment, so that untouched rows look the same in every snapshot.

INSERT INTO patients
  (id, first_name, last_name, dob, zip, phone_e164, home_office_id, language, balance_cents, carrier, member_id, plan_name)
VALUES
  ('pat_jordan_lee', 'Jordan', 'Lee', '1990-04-12', '10016', '+12125550100', 'loc_park_ave', 'en', 12500,
   'Aetna', 'W123456789', 'Open Access Elect Choice'),
  ('pat_sam_nguyen', 'Sam', 'Nguyen', '1985-11-03', '11201', '+17185550122', 'loc_brooklyn_heights', 'en', 0,
   'UnitedHealthcare', 'U987654321', 'Choice Plus'),
  ('pat_maria_alvarez', 'Maria', 'Alvarez', '1972-06-30', '10016', '+12125550133', 'loc_park_ave', 'en', 48000,
   'Cigna', 'C445566778', 'Open Access Plus'),
  ('pat_alice_romano', 'Alice', 'Romano', '1995-09-08', '34786', '+14075550155', 'loc_windermere', 'en', 32000,
   'Oscar Health', 'O778899001', 'Circle EPO'),
  ('pat_leo_park', 'Leo', 'Park', '2016-03-22', '11201', '+17185550166', 'loc_brooklyn_heights', 'en', 0,
   'Aetna', 'W998877665', 'Open Access Elect Choice');

INSERT INTO locations
  (id, name, zip, offers_cosmetic, address, floor, suite, hours, services, transit, parking)
VALUES
  ('loc_park_ave', 'Park Avenue', '10016', 1, '386 Park Avenue South, New York, NY 10016', '4th floor', 'Suite 410',
   'Mon-Fri 8am-5pm, Sat 9am-1pm', 'medical, surgical, cosmetic, allergy',
   'take the 6 train to 33rd Street; the office is one block from the stop', 'garage next door, entrance on East 27th'),
  ('loc_brooklyn_heights', 'Brooklyn Heights', '11201', 1, '142 Montague Street, Brooklyn, NY 11201', '2nd floor', 'Suite 2B',
   'Mon-Fri 8am-5pm', 'medical, surgical, cosmetic, allergy',
   'get off at Borough Hall and walk two blocks', 'parking on the street, or in the garage on Clinton Street'),
  ('loc_windermere', 'Windermere', '34786', 0, '7600 Conroy Windermere Road, Windermere, FL 34786', 'Ground floor', 'Suite 100',
   'Mon-Fri 8am-5pm', 'medical, surgical, allergy',
   'no public transit close by', 'free parking lot at the door');

INSERT INTO providers (id, name, credentials, location_id)
VALUES
  ('prov_chen', 'Dr. Amy Chen', 'MD, FAAD', 'loc_park_ave'),
  ('prov_ruiz', 'Dr. Luis Ruiz', 'MD', 'loc_brooklyn_heights'),
  ('prov_patel', 'Dr. Neha Patel', 'DO', 'loc_windermere');

INSERT INTO appointments
  (id, patient_id, location_id, provider_id, appointment_type_code, start, "end", description, status, created_at)
VALUES
  (1, 'pat_jordan_lee', 'loc_park_ave', 'prov_chen', 'MED_FOLLOWUP', '2026-08-20T10:00', '2026-08-20T10:20',
   'second look at the acne treatment', 'booked', '2026-08-01 00:00:00'),
  (2, 'pat_maria_alvarez', 'loc_park_ave', 'prov_chen', 'COS_CONSULT', '2026-08-21T15:00', '2026-08-21T15:30',
   'first talk about wrinkle injections', 'booked', '2026-08-01 00:00:00'),
  (3, 'pat_alice_romano', 'loc_windermere', 'prov_patel', 'MED_FOLLOWUP', '2026-09-15T09:00', '2026-09-15T09:20',
   'how the eczema is doing', 'booked', '2026-08-01 00:00:00');
