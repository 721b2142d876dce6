import type { CustomerRow } from '@callout/contract/customers';
import type { InvoiceRow } from '@callout/contract/invoices';
import type { ItemChoice } from '@callout/contract/items';
import type { JobRow } from '@callout/contract/jobs';
import type { QuoteRow } from '@callout/contract/quotes';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { type Capability, hasCapability } from '@callout/domain/roles/roles';
import {
  Banknote,
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
  /** Says why the item matched, if neither its label nor its detail contains the term. */
  readonly matchReason?: string | undefined;
  readonly icon: LucideIcon;
  readonly href: string;
}

export interface PaletteGroup {
  readonly value: string;
  readonly items: PaletteItem[];
}

const CREATE_ITEMS: readonly (PaletteItem & { needs: Capability })[] = [
  { id: 'new-customer', label: 'New Customer', icon: UserPlus, href: '/customers/new', needs: 'customers.edit' },
  { id: 'new-quote', label: 'New Quote', icon: FileText, href: '/quotes/new', needs: 'quotes.edit' },
  { id: 'new-job', label: 'New Job', icon: BriefcaseBusiness, href: '/jobs/new', needs: 'jobs.work' },
  { id: 'new-supplier', label: 'New Supplier', icon: Truck, href: '/items-services/suppliers/new', needs: 'items.edit' },
  { id: 'new-task', label: 'New Task', icon: ListTodo, href: '/todo?add=true', needs: 'jobs.work' },
  { id: 'new-staff-member', label: 'New Staff Member', icon: HardHat, href: '/staff/new', needs: 'staff.manage' },
];

/** Pages that aren't in the menu, because the specification limits the menu to ten entries. */
const OFF_MENU_PAGES: readonly (PaletteItem & { needs: Capability })[] = [
  { id: 'page-time-sheet', label: 'Time sheet', icon: CalendarClock, href: '/time-sheet', needs: 'jobs.work' },
  { id: 'page-invoices', label: 'Invoices', icon: ReceiptText, href: '/invoices', needs: 'payments.manage' },
  { id: 'page-payments', label: 'Payments', icon: Banknote, href: '/invoices/payments', needs: 'payments.manage' },
  { id: 'page-debtors', label: 'Who owes us', icon: HandCoins, href: '/invoices/debtors', needs: 'payments.manage' },
];

export type JobSearchResult = Pick<JobRow, 'id' | 'job_number' | 'title' | 'customer'>;

export type QuoteSearchResult = Pick<QuoteRow, 'id' | 'quote_number' | 'title' | 'customer'>;

export type InvoiceSearchResult = Pick<InvoiceRow, 'id' | 'job_id' | 'job_number' | 'invoice_number' | 'title' | 'customer_name'>;

export type ItemSearchResult = Pick<ItemChoice, 'id' | 'name' | 'sku' | 'supplier'>;

export type CustomerSearchResult = Pick<CustomerRow, 'id' | 'name' | 'company_name' | 'contact_name' | 'phone' | 'matched'>;

interface PaletteInput {
  readonly term: string;
  readonly menu: readonly MenuEntry[];
  readonly role: string | undefined;
  readonly found: SearchResults;
}

export interface SearchResults {
  readonly customers: readonly CustomerSearchResult[];
  readonly jobs: readonly JobSearchResult[];
  readonly quotes: readonly QuoteSearchResult[];
  /** Empty if the user may not see invoices. */
  readonly invoices: readonly InvoiceSearchResult[];
  readonly items: readonly ItemSearchResult[];
}

/** Returns true if every word of the term is a prefix of some word in the label. */
export function matchesTerm(label: string, term: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const parts = term.toLowerCase().split(/\s+/).filter(Boolean);
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}

const withoutHash = (term: string) => term.replace(/^#/, '');
const getCustomerNames = (customer: JobSearchResult['customer']) => [customer?.name, customer?.company_name];

/** Predicates that decide which of the previous results stay visible while a new search is loading. */
export const recordMatchers = {
  customer: ({ name, company_name, contact_name }: CustomerSearchResult, term: string) =>
    matchesTerm([name, company_name, contact_name].join(' '), term),
  job: ({ job_number, title, customer }: JobSearchResult, term: string) =>
    matchesTerm([job_number, title, ...getCustomerNames(customer)].join(' '), withoutHash(term)),
  quote: ({ quote_number, title, customer }: QuoteSearchResult, term: string) =>
    matchesTerm([quote_number, title, ...getCustomerNames(customer)].join(' '), withoutHash(term)),
  invoice: ({ invoice_number, job_number, title, customer_name }: InvoiceSearchResult, term: string) =>
    matchesTerm([invoice_number, job_number, title, customer_name].join(' '), withoutHash(term)),
  item: ({ name, sku }: ItemSearchResult, term: string) => matchesTerm([name, sku].join(' '), term),
};

/** Returns true if the term contains a digit and is part of this job, quote or invoice number. */
const matchesNumber = (number: string | undefined, term: string) => {
  const typed = term.trim().replace(/^#/, '').toLowerCase();
  return /\d/.test(typed) && number !== undefined && number.toLowerCase().includes(typed);
};

const toCustomerItem = ({ id, name, company_name: company, contact_name: contact, phone, matched }: CustomerSearchResult): PaletteItem => ({
  id,
  label: company ?? name,
  detail: company ? name : phone,
  matchReason: matched === 'contact' && contact ? `Contact: ${contact}` : undefined,
  icon: UserRound,
  href: `/customers/${id}`,
});

const toJobItem = ({ id, job_number, title, customer }: JobSearchResult): PaletteItem => ({
  id,
  label: title,
  detail: `#${job_number} · ${formatCustomerName(customer)}`,
  icon: BriefcaseBusiness,
  href: `/jobs/${id}`,
});

const toQuoteItem = ({ id, quote_number, title, customer }: QuoteSearchResult): PaletteItem => ({
  id,
  label: title,
  detail: `${quote_number} · ${customer ? formatCustomerName(customer) : 'Quick Price'}`,
  icon: FileText,
  href: `/quotes/${id}`,
});

/** Links to the payment page of the invoice's job, as the invoice list does. */
const toInvoiceItem = ({ id, job_id, invoice_number, title, customer_name }: InvoiceSearchResult): PaletteItem => ({
  id,
  label: invoice_number,
  detail: `${customer_name} · ${title}`,
  icon: ReceiptText,
  href: `/jobs/${job_id}/payment`,
});

const toPriceListItem = ({ id, name, sku, supplier }: ItemSearchResult): PaletteItem => ({
  id,
  label: name,
  detail: `${sku} · ${supplier.company_name}`,
  icon: Package,
  href: `/items-services/suppliers/${supplier.id}?item=${id}`,
});

/** Lists customers first, because people mostly type names. If the term is a job, quote or invoice number, that group moves to the top. */
export function buildPaletteGroups({ term, menu, role, found }: PaletteInput): PaletteGroup[] {
  const { customers, jobs, quotes, invoices, items } = found;
  const pages = menu.map(({ id, label, to, icon }): PaletteItem => ({ id: `page-${id}`, label, icon, href: to }));
  const recordGroups = [
    { value: 'Customers', items: customers.map(toCustomerItem), isNumberMatch: false },
    { value: 'Jobs', items: jobs.map(toJobItem), isNumberMatch: matchesNumber(jobs[0]?.job_number, term) },
    { value: 'Quotes', items: quotes.map(toQuoteItem), isNumberMatch: matchesNumber(quotes[0]?.quote_number, term) },
    { value: 'Invoices', items: invoices.map(toInvoiceItem), isNumberMatch: matchesNumber(invoices[0]?.invoice_number, term) },
    { value: 'Items', items: items.map(toPriceListItem), isNumberMatch: false },
  ];
  const otherPages = OFF_MENU_PAGES.filter(({ needs }) => hasCapability(role, needs));
  const groups: PaletteGroup[] = [
    ...recordGroups.toSorted((a, b) => Number(b.isNumberMatch) - Number(a.isNumberMatch)),
    { value: 'Create', items: CREATE_ITEMS.filter(({ needs, label }) => hasCapability(role, needs) && matchesTerm(label, term)) },
    { value: 'Go to', items: [...pages, ...otherPages].filter(({ label }) => matchesTerm(label, term)) },
  ];
  return groups.filter(({ items: rows }) => rows.length > 0);
}
