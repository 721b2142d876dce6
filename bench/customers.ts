import { NewCustomer } from '@callout/contract/customers';
import { foldText } from '@callout/domain/search/search-text';
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
import { type Chance, seeded } from './seeded.ts';

export interface GeneratedCustomer extends NewCustomer {
  readonly created_at: string;
  readonly last_interaction: string | null;
}

/** The moment the books were opened: three years of customers follow. */
const OPENED = Date.UTC(2023, 0, 2);
const THREE_YEARS_MS = 3 * 365 * 24 * 60 * 60 * 1000;

/** Believable customers, the same for the same seed. */
export function generateCustomers(seed: number, count: number): GeneratedCustomer[] {
  const chance = seeded(seed);
  return Array.from({ length: count }, () => customer(chance));
}

function customer(chance: Chance): GeneratedCustomer {
  const created = OPENED + Math.floor(chance.next() * THREE_YEARS_MS);
  const name = `${chance.mostlyFirst(FIRST_NAMES)} ${lastName(chance)}`;
  const seenAgain = chance.next() < 0.7;
  const input = {
    id: timedId(created, chance),
    ...contactOf(name, chance),
    address: `${1 + chance.below(280)} ${chance.mostlyFirst(STREETS)} ${chance.mostlyFirst(STREET_KINDS)}, ${chance.mostlyFirst(CITIES)}`,
    notes: chance.next() < 0.3 ? chance.oneOf(NOTES) : null,
    ...companyFields(chance),
    status: chance.next() < 0.08 ? 'inactive' : 'active',
  };
  return {
    ...NewCustomer.parse(input),
    created_at: new Date(created).toISOString(),
    last_interaction: seenAgain ? new Date(created + Math.floor(chance.next() * THREE_YEARS_MS)).toISOString() : null,
  };
}

function lastName(chance: Chance): string {
  if (chance.next() < 0.8) return chance.mostlyFirst(LAST_NAMES);
  return chance.oneOf(RARE_STARTS) + chance.oneOf(RARE_MIDDLES) + chance.oneOf(RARE_ENDS);
}

function contactOf(name: string, chance: Chance) {
  const mailbox = foldText(name).replace(/[^a-z]+/g, '.');
  return {
    name,
    email: `${mailbox}${chance.below(1000)}@${chance.mostlyFirst(MAIL_HOSTS)}`,
    phone: `02${chance.below(10)} ${100 + chance.below(900)} ${1000 + chance.below(9000)}`,
  };
}

function companyFields(chance: Chance) {
  if (chance.next() >= 0.25) {
    return { type: 'individual' as const, company_name: null, contact_name: null, contact_email: null, contact_phone: null };
  }
  const contact = contactOf(`${chance.mostlyFirst(FIRST_NAMES)} ${lastName(chance)}`, chance);
  return {
    type: 'company' as const,
    company_name: `${lastName(chance)} ${chance.oneOf(COMPANY_KINDS)} ${chance.mostlyFirst(COMPANY_FORMS)}`,
    contact_name: contact.name,
    contact_email: contact.email,
    contact_phone: contact.phone,
  };
}

/** A uuid of version 7, as the page makes them: it starts with the time. */
function timedId(time: number, chance: Chance): string {
  const hex = (digits: number) =>
    chance
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const stamp = time.toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
