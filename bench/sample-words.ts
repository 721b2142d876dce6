/** Most common first, because the generator picks names at the start of the list more often. */
export const FIRST_NAMES =
  'James Sarah David Emma Michael Olivia Daniel Charlotte Matthew Grace Thomas Anna John Lucy Mark Kate Tane Aroha Wiremu Mere Zoë José Renée Chloé André François Søren Jürgen Małgorzata Łukasz Siân Niamh Priya Arjun Mei Hiroshi Nguyễn Ana Luís Inês Björn Åsa Zuzana Tomáš Élodie Kahu Ngaire Hemi Fetu Sione'.split(
    ' ',
  );

export const LAST_NAMES =
  'Smith Wilson Williams Brown Taylor Jones Singh Wang Anderson Thompson Walker White Martin Clark Patel Kumar Lee Chen Campbell Robinson Ngata Parata Tūhoe Müller García Núñez O’Brien MacDonald van der Berg'
    .split(' ')
    .concat(['D’Souza', 'Kovačević', 'Dvořák', 'Øverland', 'Lindström', 'Čapek', 'Wójcik', 'Grüber', 'Trần', 'Fa’asavalu']);

/** A start, a middle and an end are combined into thousands of rare surnames. */
export const RARE_NAME_STARTS =
  'Ash Brack Cald Dunst Eller Fen Gorst Hather Ister Jell Kess Lang Marl Nether Orm Pen Quarr Rud Stain Thorn Ul Vern Wyth Yar'.split(' ');
export const RARE_NAME_MIDDLES = 'en ing er el ow am ing on un ard is ac ell em ith om'.split(' ');
export const RARE_NAME_ENDS = 'by croft dale field ford gate ham hurst leigh more shaw stead thorpe wick worth kirk'.split(' ');

export const STREET_NAMES =
  'Queen Victoria Church High Station Park King Albert Beach Mill Kauri Rimu Totara Harbour Ridge Valley Orchard Quarry Seaview Pōhutukawa'.split(
    ' ',
  );
export const STREET_TYPES = ['Street', 'Road', 'Avenue', 'Lane', 'Crescent', 'Place', 'Terrace'];
export const CITIES =
  'Auckland|Wellington|Christchurch|Hamilton|Tauranga|Dunedin|Palmerston North|Whangārei|Nelson|Rotorua|Napier|Invercargill|Timaru|Taupō|Gisborne|Oamaru'.split(
    '|',
  );

export const BUSINESSES = ['Properties', 'Builders', 'Rentals', 'Bakery', 'Motors', 'Dental', 'Café', 'Holdings', 'Architects', 'Farms'];
export const COMPANY_SUFFIXES = ['Ltd', 'Limited', 'Trust', '& Sons', 'Group'];
export const EMAIL_DOMAINS = ['example.com', 'example.org', 'mail.example.net', 'post.example.com'];
export const CUSTOMER_NOTES = [
  'Key under the pot by the back door. Dog is friendly.',
  'Call before coming: works nights.',
  'Hot water cylinder from 2009, in the roof space. Ladder needed.',
  'Invoice to the landlord, copy to the tenant.',
  'Shut-off valve is behind the washing machine.',
];

/** Most common first, like the first names. */
export const JOB_VERBS = ['Repair', 'Replace', 'Install', 'Service', 'Inspect', 'Unblock', 'Move', 'Test', 'Certify', 'Commission'];
export const JOB_OBJECTS = [
  'hot water cylinder',
  'kitchen drain',
  'bathroom mixer',
  'toilet',
  'gas hob',
  'radiator',
  'shower',
  'boiler',
  'stormwater pipe',
  'tempering valve',
  'outside tap',
  'backflow preventer',
  'grease trap',
  'macerator',
];
export const JOB_LOCATIONS = ['upstairs', 'in the garage', 'in the laundry', 'at the back', 'under the house', 'in flat 2', 'on site'];
