import type { CustomerRow } from '@callout/contract/customers';
import type { InvoiceRow } from '@callout/contract/invoices';
import type { ItemChoice } from '@callout/contract/items';
import type { JobRow } from '@callout/contract/jobs';
import type { QuoteRow } from '@callout/contract/quotes';
import { customerLabel } from '@callout/domain/customers/customer';
import { type Capability, can } from '@callout/domain/roles/roles';
import {
  BriefcaseBusiness,
  CalendarClock,
  FileText,
  HandCoins,
  HardHat,
  ListTodo,
  type LucideIcon,
  Package,
  ReceiptText,
  Truck,
  UserPlus,
  UserRound,
} from 'lucide-react';
import type { MenuEntry } from '../menu.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  /** Why a search found it, if neither label nor detail show that. */
  readonly match?: string | undefined;
  readonly icon: LucideIcon;
  /** A path of this application. */
  readonly href: string;
}

export interface PaletteGroup {
  readonly value: string;
  readonly items: PaletteItem[];
}

const CREATE: readonly (PaletteItem & { needs: Capability })[] = [
  { id: 'new-customer', label: 'New Customer', icon: UserPlus, href: '/customers/new', needs: 'customers.edit' },
  { id: 'new-quote', label: 'New Quote', icon: FileText, href: '/quotes/new', needs: 'quotes.edit' },
  { id: 'new-job', label: 'New Job', icon: BriefcaseBusiness, href: '/jobs/new', needs: 'jobs.work' },
  { id: 'new-supplier', label: 'New Supplier', icon: Truck, href: '/items-services/suppliers/new', needs: 'items.edit' },
  { id: 'new-task', label: 'New Task', icon: ListTodo, href: '/todo?add=true', needs: 'jobs.work' },
  { id: 'new-staff-member', label: 'New Staff Member', icon: HardHat, href: '/staff/new', needs: 'staff.manage' },
];

/** Pages that the menu, which keeps its ten entries, does not have. */
const OTHER_PAGES: readonly (PaletteItem & { needs: Capability })[] = [
  { id: 'page-time-sheet', label: 'Time sheet', icon: CalendarClock, href: '/time-sheet', needs: 'jobs.work' },
  { id: 'page-invoices', label: 'Invoices', icon: ReceiptText, href: '/invoices', needs: 'payments.manage' },
  { id: 'page-debtors', label: 'Who owes us', icon: HandCoins, href: '/invoices/debtors', needs: 'payments.manage' },
];

export type FoundJob = Pick<JobRow, 'id' | 'job_number' | 'title' | 'customer'>;

export type FoundQuote = Pick<QuoteRow, 'id' | 'quote_number' | 'title' | 'customer'>;

export type FoundInvoice = Pick<InvoiceRow, 'id' | 'job_id' | 'job_number' | 'invoice_number' | 'title' | 'customer_name'>;

export type FoundItem = Pick<ItemChoice, 'id' | 'name' | 'sku' | 'supplier'>;

export type FoundCustomer = Pick<CustomerRow, 'id' | 'name' | 'company_name' | 'contact_name' | 'phone' | 'matched'>;

interface PaletteSources {
  readonly term: string;
  readonly menu: readonly MenuEntry[];
  readonly role: string | undefined;
  readonly found: FoundRecords;
}

/** What a search found of each kind. */
export interface FoundRecords {
  readonly customers: readonly FoundCustomer[];
  readonly jobs: readonly FoundJob[];
  readonly quotes: readonly FoundQuote[];
  /** None for those who may not see them. */
  readonly invoices: readonly FoundInvoice[];
  readonly items: readonly FoundItem[];
}

/** Whether every word of the term starts a word of the label. */
export function matchesTerm(label: string, term: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const parts = term.toLowerCase().split(/\s+/).filter(Boolean);
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}

const withoutSign = (term: string) => term.replace(/^#/, '');
const namesOf = (customer: FoundJob['customer']) => [customer?.name, customer?.company_name];

/** Whether rows that were found by an earlier term are still among those of this one, as far as the row itself shows. */
export const stillMatches = {
  customer: ({ name, company_name, contact_name }: FoundCustomer, term: string) =>
    matchesTerm([name, company_name, contact_name].join(' '), term),
  job: ({ job_number, title, customer }: FoundJob, term: string) =>
    matchesTerm([job_number, title, ...namesOf(customer)].join(' '), withoutSign(term)),
  quote: ({ quote_number, title, customer }: FoundQuote, term: string) =>
    matchesTerm([quote_number, title, ...namesOf(customer)].join(' '), withoutSign(term)),
  invoice: ({ invoice_number, job_number, title, customer_name }: FoundInvoice, term: string) =>
    matchesTerm([invoice_number, job_number, title, customer_name].join(' '), withoutSign(term)),
  item: ({ name, sku }: FoundItem, term: string) => matchesTerm([name, sku].join(' '), term),
};

/** Whether the number of a job, quote or invoice, or the part of it that was typed so far, is the term. */
const isNumber = (number: string | undefined, term: string) => {
  const typed = term.trim().replace(/^#/, '').toLowerCase();
  return /\d/.test(typed) && number !== undefined && number.toLowerCase().includes(typed);
};

const customerItem = ({ id, name, company_name: company, contact_name: contact, phone, matched }: FoundCustomer): PaletteItem => ({
  id,
  label: company ?? name,
  detail: company ? name : phone,
  match: matched === 'contact' && contact ? `Contact: ${contact}` : undefined,
  icon: UserRound,
  href: `/customers/${id}`,
});

const jobItem = ({ id, job_number, title, customer }: FoundJob): PaletteItem => ({
  id,
  label: title,
  detail: `#${job_number} · ${customerLabel(customer)}`,
  icon: BriefcaseBusiness,
  href: `/jobs/${id}`,
});

const quoteItem = ({ id, quote_number, title, customer }: FoundQuote): PaletteItem => ({
  id,
  label: title,
  detail: `${quote_number} · ${customer ? customerLabel(customer) : 'Quick Price'}`,
  icon: FileText,
  href: `/quotes/${id}`,
});

/** Opens the payment page of its job, as the list of invoices does. */
const invoiceItem = ({ id, job_id, invoice_number, title, customer_name }: FoundInvoice): PaletteItem => ({
  id,
  label: invoice_number,
  detail: `${customer_name} · ${title}`,
  icon: ReceiptText,
  href: `/jobs/${job_id}/payment`,
});

const priceListItem = ({ id, name, sku, supplier }: FoundItem): PaletteItem => ({
  id,
  label: name,
  detail: `${sku} · ${supplier.company_name}`,
  icon: Package,
  href: `/items-services/suppliers/${supplier.id}?item=${id}`,
});

/** Customers first when something was typed, because a name is what people type; jobs, quotes or invoices first when it is the number of one. */
export function paletteGroups({ term, menu, role, found: { customers, jobs, quotes, invoices, items } }: PaletteSources): PaletteGroup[] {
  const pages = menu.map(({ id, label, to, icon }): PaletteItem => ({ id: `page-${id}`, label, icon, href: to }));
  const found = [
    { value: 'Customers', items: customers.map(customerItem), isNumber: false },
    { value: 'Jobs', items: jobs.map(jobItem), isNumber: isNumber(jobs[0]?.job_number, term) },
    { value: 'Quotes', items: quotes.map(quoteItem), isNumber: isNumber(quotes[0]?.quote_number, term) },
    { value: 'Invoices', items: invoices.map(invoiceItem), isNumber: isNumber(invoices[0]?.invoice_number, term) },
    { value: 'Items', items: items.map(priceListItem), isNumber: false },
  ];
  const otherPages = OTHER_PAGES.filter(({ needs }) => can(role, needs));
  const groups: PaletteGroup[] = [
    ...found.toSorted((one, other) => Number(other.isNumber) - Number(one.isNumber)),
    { value: 'Create', items: CREATE.filter(({ needs, label }) => can(role, needs) && matchesTerm(label, term)) },
    { value: 'Go to', items: [...pages, ...otherPages].filter(({ label }) => matchesTerm(label, term)) },
  ];
  return groups.filter(({ items: rows }) => rows.length > 0);
}
