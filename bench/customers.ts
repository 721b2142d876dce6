import { NewCustomer } from '@callout/contract/customers';
import { normalizeForSearch } from '@callout/domain/search/search-text';
import { DAY_MS } from '@callout/domain/time/time-units';
import { createRandomGenerator, type RandomGenerator } from './random.ts';
import {
  BUSINESSES,
  CITIES,
  COMPANY_SUFFIXES,
  CUSTOMER_NOTES,
  EMAIL_DOMAINS,
  FIRST_NAMES,
  LAST_NAMES,
  RARE_NAME_ENDS,
  RARE_NAME_MIDDLES,
  RARE_NAME_STARTS,
  STREET_NAMES,
  STREET_TYPES,
} from './sample-words.ts';

export interface GeneratedCustomer extends NewCustomer {
  readonly created_at: string;
  readonly last_interaction: string | null;
}

/** The earliest creation date. The customers' dates are spread over three years. */
const FIRST_CREATED_AT = Date.UTC(2023, 0, 2);
const THREE_YEARS_MS = 3 * 365 * DAY_MS;

/** Generates realistic customers. The same seed always gives the same customers. */
export function generateCustomers(seed: number, count: number): GeneratedCustomer[] {
  const random = createRandomGenerator(seed);
  return Array.from({ length: count }, () => generateCustomer(random));
}

function generateCustomer(random: RandomGenerator): GeneratedCustomer {
  const created = FIRST_CREATED_AT + Math.floor(random.next() * THREE_YEARS_MS);
  const name = `${random.pickSkewed(FIRST_NAMES)} ${generateLastName(random)}`;
  const isReturning = random.next() < 0.7;
  const input = {
    id: generateUuidV7(created, random),
    ...generateContact(name, random),
    address: `${1 + random.integerBelow(280)} ${random.pickSkewed(STREET_NAMES)} ${random.pickSkewed(STREET_TYPES)}, ${random.pickSkewed(CITIES)}`,
    notes: random.next() < 0.3 ? random.pick(CUSTOMER_NOTES) : null,
    ...generateCompanyFields(random),
    status: random.next() < 0.08 ? 'inactive' : 'active',
  };
  return {
    ...NewCustomer.parse(input),
    created_at: new Date(created).toISOString(),
    last_interaction: isReturning ? new Date(created + Math.floor(random.next() * THREE_YEARS_MS)).toISOString() : null,
  };
}

function generateLastName(random: RandomGenerator): string {
  if (random.next() < 0.8) return random.pickSkewed(LAST_NAMES);
  return random.pick(RARE_NAME_STARTS) + random.pick(RARE_NAME_MIDDLES) + random.pick(RARE_NAME_ENDS);
}

function generateContact(name: string, random: RandomGenerator) {
  const mailbox = normalizeForSearch(name).replace(/[^a-z]+/g, '.');
  return {
    name,
    email: `${mailbox}${random.integerBelow(1000)}@${random.pickSkewed(EMAIL_DOMAINS)}`,
    phone: `02${random.integerBelow(10)} ${100 + random.integerBelow(900)} ${1000 + random.integerBelow(9000)}`,
  };
}

function generateCompanyFields(random: RandomGenerator) {
  if (random.next() >= 0.25) {
    return { type: 'individual' as const, company_name: null, contact_name: null, contact_email: null, contact_phone: null };
  }
  const contact = generateContact(`${random.pickSkewed(FIRST_NAMES)} ${generateLastName(random)}`, random);
  return {
    type: 'company' as const,
    company_name: `${generateLastName(random)} ${random.pick(BUSINESSES)} ${random.pickSkewed(COMPANY_SUFFIXES)}`,
    contact_name: contact.name,
    contact_email: contact.email,
    contact_phone: contact.phone,
  };
}

/** Generates a UUIDv7, as the web app does. It starts with the timestamp. */
export function generateUuidV7(time: number, random: RandomGenerator): string {
  const hex = (digits: number) =>
    random
      .integerBelow(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const stamp = time.toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
