import { NewCustomer } from '@callout/contract/customers';
import { foldText } from '@callout/domain/search/search-text';
import { DAY_MS } from '@callout/domain/time/time-units';
import {
  CITIES,
  COMPANY_FORMS,
  COMPANY_KINDS,
  FIRST_NAMES,
  LAST_NAMES,
  MAIL_HOSTS,
  NOTES,
  RARE_ENDS,
  RARE_MIDDLES,
  RARE_STARTS,
  STREET_KINDS,
  STREETS,
} from './name-parts.ts';
import { createRandom, type Random } from './random.ts';

export interface GeneratedCustomer extends NewCustomer {
  readonly created_at: string;
  readonly last_interaction: string | null;
}

/** Customers are created over the three years from here. */
const FIRST_CREATED_AT = Date.UTC(2023, 0, 2);
const THREE_YEARS_MS = 3 * 365 * DAY_MS;

/** Generates realistic customers, the same ones for the same seed. */
export function generateCustomers(seed: number, count: number): GeneratedCustomer[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => generateCustomer(random));
}

function generateCustomer(random: Random): GeneratedCustomer {
  const created = FIRST_CREATED_AT + Math.floor(random.next() * THREE_YEARS_MS);
  const name = `${random.pickSkewed(FIRST_NAMES)} ${generateLastName(random)}`;
  const isReturning = random.next() < 0.7;
  const input = {
    id: generateId(created, random),
    ...generateContact(name, random),
    address: `${1 + random.integerBelow(280)} ${random.pickSkewed(STREETS)} ${random.pickSkewed(STREET_KINDS)}, ${random.pickSkewed(CITIES)}`,
    notes: random.next() < 0.3 ? random.pick(NOTES) : null,
    ...generateCompanyFields(random),
    status: random.next() < 0.08 ? 'inactive' : 'active',
  };
  return {
    ...NewCustomer.parse(input),
    created_at: new Date(created).toISOString(),
    last_interaction: isReturning ? new Date(created + Math.floor(random.next() * THREE_YEARS_MS)).toISOString() : null,
  };
}

function generateLastName(random: Random): string {
  if (random.next() < 0.8) return random.pickSkewed(LAST_NAMES);
  return random.pick(RARE_STARTS) + random.pick(RARE_MIDDLES) + random.pick(RARE_ENDS);
}

function generateContact(name: string, random: Random) {
  const mailbox = foldText(name).replace(/[^a-z]+/g, '.');
  return {
    name,
    email: `${mailbox}${random.integerBelow(1000)}@${random.pickSkewed(MAIL_HOSTS)}`,
    phone: `02${random.integerBelow(10)} ${100 + random.integerBelow(900)} ${1000 + random.integerBelow(9000)}`,
  };
}

function generateCompanyFields(random: Random) {
  if (random.next() >= 0.25) {
    return { type: 'individual' as const, company_name: null, contact_name: null, contact_email: null, contact_phone: null };
  }
  const contact = generateContact(`${random.pickSkewed(FIRST_NAMES)} ${generateLastName(random)}`, random);
  return {
    type: 'company' as const,
    company_name: `${generateLastName(random)} ${random.pick(COMPANY_KINDS)} ${random.pickSkewed(COMPANY_FORMS)}`,
    contact_name: contact.name,
    contact_email: contact.email,
    contact_phone: contact.phone,
  };
}

/** A UUID of version 7, which starts with the time, as the page creates them. */
export function generateId(time: number, random: Random): string {
  const hex = (digits: number) =>
    random
      .integerBelow(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const stamp = time.toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
