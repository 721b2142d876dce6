import { NewCustomer } from '@callout/contract/customers';

/** Name, phone, address and months since creation, followed by the company name and its contact person if the customer is a company. */
type CustomerRow = readonly [string, string, string, number, string?, string?];

const CUSTOMER_ROWS: readonly CustomerRow[] = [
  ['Ana Ruiz', '021 555 0101', '14 Ponsonby Road, Grey Lynn, Auckland', 12],
  ['K. Whitaker', '027 555 0102', '3/88 Remuera Road, Remuera, Auckland', 12],
  ['Margaret O’Sullivan', '09 555 0103', '27 Calliope Road, Devonport, Auckland', 12],
  ['Reception', '09 555 0104', '200 Quay Street, Auckland Central', 11.8, 'Harbour View Apartments Body Corporate', 'Priya Naidoo'],
  ['R. and T. Lindqvist', '021 555 0105', '5 Hurstmere Road, Takapuna, Auckland', 11.5],
  ['Front desk', '09 555 0106', '61 Dominion Road, Mt Eden, Auckland', 11.2, 'Orchard Dental', 'Dr Helen Cho'],
  ['Tama Walker', '022 555 0107', '9 Te Atatū Road, Te Atatū Peninsula, Auckland', 11],
  ['School office', '09 555 0108', '120 East Coast Road, Forrest Hill, Auckland', 10.6, 'Northside School', 'Brian Fitzgerald'],
  ['Zoë van der Merwe', '021 555 0109', '44 Jervois Road, Herne Bay, Auckland', 10.3],
  ['Accounts', '09 555 0110', '8 Karangahape Road, Auckland Central', 10, 'Bluebird Cafe', 'Jo Tane'],
  ['Hamish McAllister', '027 555 0111', '71 Beach Haven Road, Beach Haven, Auckland', 9.7],
  ['Li Wei', '021 555 0112', '16 Botany Road, Howick, Auckland', 9.5],
  ['Property manager', '09 555 0113', '2 Commerce Street, Auckland Central', 9.1, 'Kauri Property Management', 'Simone Duarte'],
  ['Sione Tuilagi', '022 555 0114', '33 Massey Road, Māngere East, Auckland', 8.8],
  ['Claire & Ben Harwood', '021 555 0115', '102 Sandringham Road, Sandringham, Auckland', 8.6],
  ['Parish office', '09 555 0116', '1 Church Street, Onehunga, Auckland', 8.2, 'St Peter’s Parish', 'Fr Michael Dunne'],
  ['Aroha Ngata', '027 555 0117', '18 Great North Road, Point Chevalier, Auckland', 8],
  ['Deepak Sharma', '021 555 0118', '57 Stoddard Road, Mt Roskill, Auckland', 7.7],
  ['Kitchen manager', '09 555 0119', '31 Ponsonby Road, Grey Lynn, Auckland', 7.4, 'Osteria Nonna', 'Luca Bianchi'],
  ['Elsie Pemberton', '09 555 0120', '6 Victoria Avenue, Remuera, Auckland', 7.2],
  ['Josh Patel', '022 555 0121', '240 Richmond Road, Grey Lynn, Auckland', 7],
  ['Practice manager', '09 555 0122', '15 Lake Road, Northcote, Auckland', 6.6, 'Northcote Vets', 'Wendy Schofield'],
  ['Mereana Hēnare', '021 555 0123', '90 Ōrākei Road, Remuera, Auckland', 6.3],
  ['Graham Tolhurst', '027 555 0124', '12 Rangitoto Terrace, Milford, Auckland', 6],
  ['Site office', '021 555 0125', '77 Fanshawe Street, Auckland Central', 5.8, 'Ridgeline Builders', 'Matt Kerr'],
  ['François Dubois', '022 555 0126', '4 Franklin Road, Freemans Bay, Auckland', 5.5],
  ['Ingrid Sørensen', '021 555 0127', '25 Marine Parade, Herne Bay, Auckland', 5.1],
  ['Facilities', '09 555 0128', '500 Albany Highway, Albany, Auckland', 4.9, 'Albany Aquatic Centre', 'Rangi Moana'],
  ['Pauline Ashcroft', '027 555 0129', '38 Bayswater Avenue, Bayswater, Auckland', 4.6],
  ['Sam Okoro', '021 555 0130', '11 New North Road, Eden Terrace, Auckland', 4.3],
  [
    'Body corporate secretary',
    '09 555 0131',
    '140 Hobson Street, Auckland Central',
    4,
    'Hobson Heights Body Corporate 402118',
    'Nadia Petrova',
  ],
  ['Tevita Fifita', '022 555 0132', '63 Church Street, Ōtāhuhu, Auckland', 3.7],
  ['Yuki Tanaka', '021 555 0133', '7 Kitchener Road, Milford, Auckland', 3.3],
  ['Head brewer', '09 555 0134', '22 Enfield Street, Mt Eden, Auckland', 3, 'Brothers & Daughters Brewing', 'Kat Lowe'],
  ['Douglas Wrigley', '027 555 0135', '19 Campbell Road, One Tree Hill, Auckland', 2.7],
  ['Salon', '09 555 0136', '205 Parnell Road, Parnell, Auckland', 2.3, 'Parnell Hair Studio', 'Bex Thornton'],
  ['Hine Rāwiri', '021 555 0137', '52 Triangle Road, Massey, Auckland', 2],
  ['Oliver Stanton-Fitzwilliam', '022 555 0138', '1A Arney Crescent, Remuera, Auckland', 1.6],
  ['Nurse manager', '09 555 0139', '84 Shakespeare Road, Milford, Auckland', 1.2, 'Seaview Retirement Village', 'Gwen Abbott'],
  ['Carlos Mendoza', '021 555 0140', '29 Wharf Road, Te Atatū Peninsula, Auckland', 0.8],
  ['Ruby Chen', '027 555 0141', '10 Mokoia Road, Birkenhead, Auckland', 0.4],
  ['Pat Brennan', '021 555 0142', '46 Huia Road, Titirangi, Auckland', 0.1],
];

const NOTES_BY_CUSTOMER_INDEX: Readonly<Record<number, string>> = {
  2: 'Dog in the yard. Ring before opening the gate.',
  3: 'Main stopcock is behind the bins, key at reception. Invoices go to the committee, not reception.',
  6: 'Prefers a text. Home after 4 pm.',
  7: 'Sign in at the office. No work during exams.',
  18: 'Grease trap every eight weeks, before 9 am.',
  27: 'Plant room access by arrangement with Rangi.',
};

export interface DemoCustomer {
  readonly customer: NewCustomer;
  readonly monthsAgo: number;
}

export function buildDemoCustomers(newId: (index: number) => string): DemoCustomer[] {
  return CUSTOMER_ROWS.map(([name, phone, address, monthsAgo, company, contact], index) => ({
    monthsAgo,
    customer: NewCustomer.parse({
      id: newId(index),
      type: company ? 'company' : 'individual',
      status: 'active',
      name: company ? (contact ?? name) : name,
      email: `${toEmailName(company ?? name)}@example.com`,
      phone,
      address,
      notes: NOTES_BY_CUSTOMER_INDEX[index] ?? null,
      company_name: company ?? null,
      contact_name: company ? name : null,
      contact_email: company ? `accounts.${toEmailName(company)}@example.com` : null,
      contact_phone: company ? phone : null,
    }),
  }));
}

function toEmailName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\p{L}\d ]/gu, '')
    .toLowerCase();
  return plain.trim().split(/\s+/).slice(0, 3).join('.').slice(0, 40);
}
