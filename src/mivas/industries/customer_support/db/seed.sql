-- Where a call begins, on 1 August 2026. Dates are YYYY-MM-DD, money is cents, "" means none.

INSERT INTO customers
  (id, name, phone, email, postal_code, card_last4, tier, membership_start, membership_paid_cents, auto_renew)
VALUES
  ('cust_dana', 'Dana Whitlock', '5415550188', 'dana.whitlock@example.test', '97330', '4417', 'total', '2026-03-01',
   19999, 1),
  ('cust_marcus', 'Marcus Iyer', '5415550104', 'marcus.iyer@example.test', '97402', '8802', 'standard', '', 0, 0),
  ('cust_priya', 'Priya Raman', '5415550119', 'priya.raman@example.test', '98104', '3361', 'plus', '2026-01-20', 2999,
   1),
  ('cust_glen', 'Glen Aldridge', '5415550127', 'glen.aldridge@example.test', '97213', '5540', 'total', '2025-12-05',
   19999, 1),
  ('cust_rosalind', 'Rosalind Baptiste', '5415550133', 'rosalind.baptiste@example.test', '97401', '7719', 'standard',
   '', 0, 0),
  ('cust_tomas', 'Tomas Ferreira', '5415550146', 'tomas.ferreira@example.test', '94110', '2208', 'plus', '2026-05-10',
   2999, 1),
  ('cust_amina', 'Amina Kalu', '5415550152', 'amina.kalu@example.test', '98661', '6673', 'plus', '2026-04-02', 2999,
   1),
  ('cust_victor', 'Victor Nunes', '5415550165', 'victor.nunes@example.test', '43081', '9014', 'total', '2026-02-11',
   19999, 1),
  ('cust_selina', 'Selina Cortez', '5415550171', 'selina.cortez@example.test', '97035', '1156', 'plus', '2026-02-15',
   2999, 1),
  ('cust_owen', 'Owen Tsai', '5415550183', 'owen.tsai@example.test', '43215', '4482', 'total', '2025-09-20', 19999, 1),
  ('cust_nadia', 'Nadia Grant', '5415550196', 'nadia.grant@example.test', '98042', '7735', 'total', '2026-06-01',
   19999, 1),
  ('cust_felix', 'Felix Moreau', '5415550108', 'felix.moreau@example.test', '94612', '3390', 'plus', '2026-03-22',
   2999, 1),
  ('cust_grace', 'Grace Okonkwo', '5415550112', 'grace.okonkwo@example.test', '97005', '6628', 'total', '2025-10-01',
   19999, 1);

INSERT INTO orders
  (order_number, customer_id, order_date, status, fulfillment, seller_name, purchase_state, delivered_date,
   delivery_date, delivery_window, install, haul_away)
VALUES
  ('KE-4471209', 'cust_dana', '2026-07-20', 'scheduled', 'kestrel', '', 'OR', '', '2026-08-14', '8am-12pm', 1, 1),
  ('KE-4408117', 'cust_marcus', '2026-07-08', 'delivered', 'kestrel', '', 'OR', '2026-07-10', '', '', 0, 0),
  ('KE-4399052', 'cust_marcus', '2026-06-15', 'delivered', 'kestrel', '', 'OR', '2026-06-18', '', '', 0, 0),
  ('KE-4462884', 'cust_priya', '2026-07-18', 'delivered', 'kestrel', '', 'WA', '2026-07-20', '', '', 0, 0),
  ('KE-4455031', 'cust_glen', '2026-07-13', 'delivered', 'kestrel', '', 'OR', '2026-07-15', '', '', 0, 0),
  ('KE-4431775', 'cust_rosalind', '2026-06-02', 'delivered', 'kestrel', '', 'OR', '2026-06-05', '', '', 0, 0),
  ('KE-4479002', 'cust_tomas', '2026-07-24', 'delivered', 'marketplace', 'Northwind Supply Co', 'CA', '2026-07-27',
   '', '', 0, 0),
  ('KE-4483316', 'cust_amina', '2026-07-26', 'delivered', 'kestrel', '', 'WA', '2026-07-29', '', '', 0, 0),
  ('KE-4490224', 'cust_victor', '2026-05-30', 'delivered', 'kestrel', '', 'OH', '2026-06-03', '', '', 0, 0),
  ('KE-4498870', 'cust_selina', '2026-07-30', 'processing', 'kestrel', '', 'OR', '', '', '', 0, 0),
  ('KE-4487740', 'cust_owen', '2026-07-22', 'delivered', 'kestrel', '', 'OH', '2026-07-25', '', '', 0, 0),
  ('KE-4492551', 'cust_nadia', '2026-07-23', 'delivered', 'kestrel', '', 'WA', '2026-07-26', '', '', 0, 0),
  ('KE-4495108', 'cust_felix', '2026-07-27', 'delivered', 'kestrel', '', 'CA', '2026-07-29', '', '', 0, 0),
  ('KE-4471860', 'cust_grace', '2025-11-06', 'delivered', 'kestrel', '', 'OR', '2025-11-10', '', '', 0, 0),
  ('KE-4500001', 'cust_nadia', '2026-07-30', 'scheduled', 'kestrel', '', 'WA', '', '2026-08-03', '8am-12pm', 1, 1);

INSERT INTO order_items
  (id, order_number, sku, name, category, price_cents, opened, activatable, restock_class, condition_grade,
   recalled, hazmat)
VALUES
  ('it_01', 'KE-4471209', 'SKU-APP-2210', 'Northwind 26 cu ft French Door Refrigerator', 'appliance', 214999, 0, 0,
   'none', 'new', 0, 0),
  ('it_02', 'KE-4408117', 'SKU-CMP-1180', 'Kestrel Aurora 14 Laptop', 'computing', 89999, 1, 0, 'none', 'new', 0, 0),
  ('it_03', 'KE-4399052', 'SKU-CMP-2280', 'Kestrel Vista 27 Monitor', 'computing', 32999, 1, 0, 'none', 'new', 0, 0),
  ('it_04', 'KE-4462884', 'SKU-MOB-7702', 'Solstice X5 Smartphone', 'mobile', 109999, 1, 1, 'activatable', 'new', 0,
   0),
  ('it_05', 'KE-4455031', 'SKU-MOB-7702', 'Solstice X5 Smartphone', 'mobile', 109999, 1, 1, 'activatable', 'new', 0,
   0),
  ('it_06', 'KE-4431775', 'SKU-BWM-0450', 'Bellwether Ease 4 Phone', 'mobile', 14999, 1, 1, 'activatable', 'new', 0,
   0),
  ('it_07', 'KE-4479002', 'SKU-AUD-3390', 'Corva Studio Headphones', 'audio', 24999, 1, 0, 'none', 'new', 0, 0),
  ('it_08', 'KE-4483316', 'SKU-PWR-5510', 'Voltbank 20K Power Bank', 'accessories', 7999, 1, 0, 'none', 'new', 0, 1),
  ('it_09', 'KE-4490224', 'SKU-HOM-6120', 'Emberline Ceramic Space Heater', 'home', 14999, 1, 0, 'none', 'new', 1, 0),
  ('it_10', 'KE-4498870', 'SKU-AUD-3350', 'Corva Mini Bluetooth Speaker', 'audio', 18999, 0, 0, 'none', 'new', 0, 0),
  ('it_11', 'KE-4487740', 'SKU-DRN-4400', 'Skyward Vireo 3 Drone', 'drone', 99999, 1, 0, 'percent_15', 'new', 0, 0),
  ('it_12', 'KE-4492551', 'SKU-DRN-4400', 'Skyward Vireo 3 Drone', 'drone', 99999, 1, 0, 'percent_15', 'new', 0, 0),
  ('it_13', 'KE-4495108', 'SKU-AUD-7720', 'Aurelian Halo Soundbar', 'audio', 54999, 0, 0, 'none', 'new', 0, 0),
  ('it_14', 'KE-4495108', 'SKU-TV-4410', 'Kestrel Vista 55 4K TV', 'television', 39999, 1, 0, 'none',
   'open_box_excellent', 0, 0),
  ('it_15', 'KE-4471860', 'SKU-CMP-9930', 'Kestrel Aurora Pro 16 Laptop', 'computing', 149999, 1, 0, 'none', 'new', 0,
   0),
  ('it_16', 'KE-4500001', 'SKU-APP-7740', 'Emberline Induction Range', 'appliance', 149999, 0, 0, 'none', 'new', 0, 0),
  ('it_17', 'KE-4495108', 'SKU-AUD-8820', 'Aurelian Soundbar Mini', 'audio', 44999, 0, 0, 'none', 'new', 0, 0);

INSERT INTO protection_plans
  (id, customer_id, order_number, sku, plan_name, start_date, end_date, deductible_cents)
VALUES
  ('pp_priya', 'cust_priya', 'KE-4462884', 'SKU-MOB-7702', 'TechCrew Protect Mobile', '2026-07-20', '2028-07-20',
   14900),
  ('pp_nadia', 'cust_nadia', 'KE-4492551', 'SKU-DRN-4400', 'TechCrew Protect Drone', '2026-07-26', '2028-07-26',
   24900);

INSERT INTO refunds
  (rma_number, customer_id, order_number, received_date, amount_cents, stage, posts_by, method)
VALUES
  ('RMA-778201', 'cust_marcus', 'KE-4399052', '2026-07-28', 32999, 'processing', '2026-08-05', 'Visa ending 8802');

INSERT INTO stores (id, name, address, hours, departments)
VALUES
  ('st_wexley', 'Wexley (Flagship)', '1 Kestrel Parkway, Wexley, OH', 'Mon-Sat 10am-9pm, Sun 11am-7pm',
   'full store, TechCrew Bench, Aurelian Audio, Coastline Kitchen & Home, recycling drop-off'),
  ('st_corvallis', 'Corvallis', '2200 Harrier Road, Corvallis, OR', 'Mon-Sat 10am-8pm, Sun 11am-6pm',
   'full store, TechCrew Bench, recycling drop-off'),
  ('st_eastvale', 'Eastvale Commons', '780 Kestrel Commons Drive, Eastvale, WA', 'Mon-Sat 10am-9pm, Sun 11am-7pm',
   'full store, TechCrew Bench, Coastline Kitchen & Home'),
  ('st_marlow', 'Marlow Heights', '15 Sound Harbor Way, Marlow Heights, CA', 'Mon-Sat 10am-9pm, Sun 11am-7pm',
   'full store, TechCrew Bench, Aurelian Audio, Sagebrush Outdoor showroom'),
  ('st_brightbay', 'Brightbay', '410 Gullwing Avenue, Brightbay, OR', 'Mon-Sat 10am-8pm, Sun closed',
   'full store, TechCrew Bench'),
  ('st_delmore', 'Delmore Park', '3300 Talon Boulevard, Delmore Park, OH', 'Mon-Sat 10am-9pm, Sun 11am-7pm',
   'full store, TechCrew Bench, Coastline Kitchen & Home, recycling drop-off');

INSERT INTO fees (code, label, amount_text, conditions)
VALUES
  ('restocking_activatable', 'Activatable-device restocking fee', '$45.00',
   'Phones, hotspots, and tablets or watches on a mobile network. Nothing for an unopened box, nothing where the purchase state forbids it: AL, CO, HI, IA, MS, OH, OK, SC.'),
  ('restocking_percent', '15% category restocking fee', '15% of purchase price',
   'Drones, projectors, DSLR cameras and special orders. Nothing for an unopened box, nothing where the purchase state forbids it: AL, CO, HI, IA, MS, OH, OK, SC.'),
  ('membership_plus', 'Kestrel Plus annual membership', '$29.99 per year',
   'Brings 60 days to return most things, member pricing, free shipping in two days and 1% back in rewards.'),
  ('membership_total', 'Kestrel Total annual membership', '$199.99 per year',
   'Everything in Plus. On top: TechCrew Protect for most purchases, for as long as the membership runs and two years at the most, and TechCrew help day and night for any device.'),
  ('haul_away_with_delivery', 'Haul-away together with a delivery', '$49.99',
   'One large appliance, taken along when the new one comes.'),
  ('haul_away_standalone', 'Haul-away without a purchase', '$199.99',
   'Collection and recycling of one or two large products, nothing bought.'),
  ('delivery_change_late', 'Late delivery change (under 48 hours)', '$29.99',
   'Only when the booked appliance delivery is less than 48 hours off. Earlier than that a move costs nothing.'),
  ('appliance_install', 'Basic appliance installation', '$0.00',
   'Included with the delivery of refrigerators and of electric washers, dryers and ranges. Parts and heavy work are extra.'),
  ('waterline_install', 'New refrigerator waterline', '$89.99', 'Extra to the included installation.'),
  ('techcrew_bench_diagnostic', 'TechCrew Bench diagnostic', '$39.99',
   'Waived for Kestrel Total members and for anything under a plan.'),
  ('techcrew_in_home_visit', 'TechCrew in-home visit', '$99.99',
   'Waived for Kestrel Total members and for anything under a plan.'),
  ('protect_deductible_mobile', 'TechCrew Protect mobile deductible', '$149.00',
   'For each mobile claim that is approved.'),
  ('return_shipping', 'Return shipping cost', '$0.00',
   'We pay the label for whatever Kestrel sold and shipped itself.'),
  ('recycling_dropoff', 'Store recycling drop-off', '$0.00',
   'Three items for each household and day, in stores with a drop-off.');

INSERT INTO policies (topic, keywords, title, body)
VALUES
  ('returns', 'exchange,how long,return,return window,returns,send it back,take it back',
   'Returns and exchanges: the window',
   'Counted from the day of delivery. Without a membership 15 days; with Plus or Total 60 days for most things. Anything that is activated on a mobile network (a phone, a hotspot, a tablet or watch with cellular) has 14 days, and no membership makes that longer. Everything that was in the box comes back with it.'),
  ('restocking', '15 percent,45 dollars,charge to return,fee to return,restock,restocking', 'Restocking charges',
   '$45.00 for a device that is activated on a mobile network. 15% of the price for drones, projectors, DSLR cameras and special orders. Nothing while the box is unopened, and nothing on purchases made in Alabama, Colorado, Hawaii, Iowa, Mississippi, Ohio, Oklahoma or South Carolina.'),
  ('price_match', 'cheaper,lower price,match the price,price adjustment,price drop,price match',
   'Price Match Guarantee',
   'If one of our qualified competitors sells the identical product, new and in stock, for less before tax, Kestrel matches it: when you buy, or later inside your return window, once for each identical item. Not matched: Marketplace, open-box, clearance and refurbished goods, prices for services, stock that is sold out or limited, specials of a day or an hour, and prices from the Thursday before Thanksgiving through the following Monday.'),
  ('membership', 'annual fee,cancel membership,membership,plus,renewal,subscription,total',
   'Plus and Total memberships',
   'Kestrel Plus costs $29.99 a year: 60-day returns on most things, member pricing, two-day shipping for free, 1% in rewards. Kestrel Total costs $199.99 a year and adds TechCrew Protect for most purchases, two years at the most and only while it runs, and TechCrew help around the clock for every device you own. You can cancel on the phone, and each whole month you have not used is paid back.'),
  ('delivery_install', 'delivery,haul away,hauling,install,installation,old appliance,waterline',
   'Delivery, install and haul-away',
   'Refrigerators and electric washers, dryers and ranges are installed for free on delivery. Running a new waterline is $89.99. Taking one old large appliance along is $49.99; fetching up to two large ones without a purchase is $199.99. Look the product over before you accept it: you may always refuse it at the door.'),
  ('open_box', 'certified,condition,excellent,fair,grade,open box,open-box,satisfactory', 'Open-box grades',
   'There are four grades. Excellent-Certified: TechCrew has tested and restored it, and it looks new. Excellent: it looks new, without the restoring. Satisfactory: a little worn. Fair: you can see the wear. All of them work in full and come with all their parts. No grade can be price matched.'),
  ('marketplace', 'marketplace,not sold by kestrel,seller,sold by,third party', 'Marketplace sellers',
   'Part of what you find on kestrel.example is offered by independent sellers. Kestrel takes the order and nothing else: returning it, refunding it and changing its price are up to that seller and that seller''s terms.'),
  ('recycling', 'dispose,e-waste,old tv,recycle,recycling,trade in,trade-in', 'Recycling and trade-in',
   'Stores with a drop-off take three items from each household a day, free. A trade-in gets its quote online or at the counter and is paid as a Kestrel gift card. A lithium battery that is swollen or damaged is never taken in a store; it belongs with household hazardous waste.');

INSERT INTO kb (topic, keywords, answer)
VALUES
  ('hours', 'close,hours,open,today,what time',
   'Most stores are open 10am to 9pm from Monday to Saturday and 11am to 7pm on Sunday. A few close earlier, so look the store up by name.'),
  ('sound_harbor', 'bought it at,old store,sound harbor,soundharbor,used to be',
   'Sound Harbor has been part of Kestrel since 2019. Its orders are in our records, its receipts count here, and its old 1-800 number rings on this line.'),
  ('bellwether', 'alert,bellwether,big buttons,ease,jitter,my mother''s phone,senior phone',
   'Bellwether Mobile is one of ours since 2018. Ease phones and Alert wearables are served by Kestrel and TechCrew like anything else.'),
  ('techcrew', 'bench,geek,in home,repair,service,support,tech crew,techcrew',
   'TechCrew is our service side. Every store has a Bench, technicians visit homes, and remote help runs 24/7. Its protection plan is called TechCrew Protect, and Kestrel Total includes it for most purchases, for two years at the most.'),
  ('aurelian', 'audio,aurelian,demo room,home theater,premium',
   'Aurelian Audio is the listening room in selected stores: fine audio and home theater.'),
  ('coastline', 'appliance showroom,coastline,home,kitchen',
   'Coastline Kitchen & Home is the appliance and kitchen showroom you find in selected stores.'),
  ('sagebrush', 'furniture,outdoor,patio,sagebrush',
   'Sagebrush Outdoor makes furniture for the garden. It joined in 2021 and shows its range in selected stores.'),
  ('scam_awareness', 'fake,fraud,gift card,phishing,refund too much,remote access,renewal email,scam',
   'Neither Kestrel nor TechCrew will ever want gift cards, a wire, crypto, control of your computer, money back after a refund, or your full card number. Whoever wants those is not us.'),
  ('warranty_vs_plan', 'manufacturer warranty,protection plan,third party repair,void,warranty',
   'The maker warrants every product against defects, at no charge. TechCrew Protect is separate: accidents too, and faster help. Neither a repair elsewhere nor saying no to a plan ends the warranty.'),
  ('returns_how', 'how do i return,in store return,label,mail it back,packaging',
   'Goods that Kestrel shipped go back with a free prepaid label, or to any store in person. Put in everything that came with it. The money takes the same way back as it was paid.'),
  ('main_line', '1-888,call back,customer service number,phone number',
   '1-888-555-0142 is the customer line, open every day. Calls to the old Sound Harbor number arrive here as well.'),
  ('recall_general', 'recall,recalled,safety notice,stop using',
   'For anything under recall, the remedy of its maker replaces our usual return and repair. We neither fix nor sell it again.');

INSERT INTO competitors (name, note)
VALUES
  ('Rivertide', 'online marketplace and shop'),
  ('Halcyon Mart', 'chain of general stores'),
  ('Bulkhouse', 'warehouse for members'),
  ('Marlowe''s', 'chain of general stores'),
  ('Crestline Audio', 'specialist for audio'),
  ('Dellaway', 'sells the computers it makes'),
  ('Pinemark', 'office and electronics chain');

INSERT INTO service_slots (date, service_type, time_window, available)
VALUES
  ('2026-08-03', 'bench', '11:00am', 1),
  ('2026-08-04', 'bench', '2:00pm', 1),
  ('2026-08-05', 'bench', '10:00am', 1),
  ('2026-08-06', 'bench', '3:00pm', 1),
  ('2026-08-07', 'bench', '11:00am', 1),
  ('2026-08-08', 'bench', '1:00pm', 1),
  ('2026-08-05', 'in_home', '8am-12pm', 1),
  ('2026-08-07', 'in_home', '12pm-4pm', 1),
  ('2026-08-10', 'in_home', '8am-12pm', 1),
  ('2026-08-12', 'in_home', '12pm-4pm', 1),
  ('2026-08-02', 'remote', '9:00am', 1),
  ('2026-08-03', 'remote', '1:00pm', 1),
  ('2026-08-04', 'remote', '9:00am', 1);

INSERT INTO outbound_contacts (id, phone, email, channel, contact_date, summary)
VALUES
  ('oc_01', '5415550188', 'dana.whitlock@example.test', 'sms', '2026-07-31',
   'Text to say that KE-4471209 comes on August 14 between 8am and 12pm.'),
  ('oc_02', '5415550112', 'grace.okonkwo@example.test', 'email', '2026-07-24',
   'E-mail to say that the bench has finished KE-4471860 and it is ready to collect.');
