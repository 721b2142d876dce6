import type { CustomerRow } from '@callout/contract/customers';
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
  { id: 'new-task', label: 'New Task', icon: ListTodo, href: '/todo', needs: 'jobs.work' },
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

export type FoundCustomer = Pick<CustomerRow, 'id' | 'name' | 'company_name' | 'contact_name' | 'phone' | 'matched'>;

interface PaletteSources {
  readonly term: string;
  readonly menu: readonly MenuEntry[];
  readonly role: string | undefined;
  readonly customers: readonly FoundCustomer[];
  readonly jobs: readonly FoundJob[];
  readonly quotes: readonly FoundQuote[];
}

/** Whether every word of the term starts a word of the label. */
export function matchesTerm(label: string, term: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const parts = term.toLowerCase().split(/\s+/).filter(Boolean);
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}

/** Whether rows that were found by an earlier term are still among those of this one, as far as the row itself shows. */
export function stillMatches({ name, company_name, contact_name }: FoundCustomer, term: string): boolean {
  return matchesTerm([name, company_name, contact_name].join(' '), term);
}

export function jobStillMatches({ job_number, title, customer }: FoundJob, term: string): boolean {
  return matchesTerm([job_number, title, customer?.name, customer?.company_name].join(' '), term.replace(/^#/, ''));
}

export function quoteStillMatches({ quote_number, title, customer }: FoundQuote, term: string): boolean {
  return matchesTerm([quote_number, title, customer?.name, customer?.company_name].join(' '), term.replace(/^#/, ''));
}

/** Whether the number of a job or quote, or the part of it that was typed so far, is the term. */
const isNumber = (number: string | undefined, term: string) => {
  const typed = term.trim().replace(/^#/, '').toLowerCase();
  return /\d/.test(typed) && number !== undefined && number.toLowerCase().includes(typed);
};

/** Customers first when something was typed, because a name is what people type; jobs or quotes first when it is the number of one. */
export function paletteGroups({ term, menu, role, customers, jobs, quotes }: PaletteSources): PaletteGroup[] {
  const pages = menu.map(({ id, label, to, icon }): PaletteItem => ({ id: `page-${id}`, label, icon, href: to }));
  const people = customers.map(
    ({ id, name, company_name: company, contact_name: contact, phone, matched }): PaletteItem => ({
      id,
      label: company ?? name,
      detail: company ? name : phone,
      match: matched === 'contact' && contact ? `Contact: ${contact}` : undefined,
      icon: UserRound,
      href: `/customers/${id}`,
    }),
  );
  const work = jobs.map(
    ({ id, job_number, title, customer }): PaletteItem => ({
      id,
      label: title,
      detail: `#${job_number} · ${customerLabel(customer)}`,
      icon: BriefcaseBusiness,
      href: `/jobs/${id}`,
    }),
  );
  const quoteItems = quotes.map(
    ({ id, quote_number, title, customer }): PaletteItem => ({
      id,
      label: title,
      detail: `${quote_number} · ${customer ? customerLabel(customer) : 'Quick Price'}`,
      icon: FileText,
      href: `/quotes/${id}`,
    }),
  );
  const found = [
    { value: 'Customers', items: people, isNumber: false },
    { value: 'Jobs', items: work, isNumber: isNumber(jobs[0]?.job_number, term) },
    { value: 'Quotes', items: quoteItems, isNumber: isNumber(quotes[0]?.quote_number, term) },
  ];
  const otherPages = OTHER_PAGES.filter(({ needs }) => can(role, needs));
  const groups: PaletteGroup[] = [
    ...found.toSorted((one, other) => Number(other.isNumber) - Number(one.isNumber)),
    { value: 'Create', items: CREATE.filter(({ needs, label }) => can(role, needs) && matchesTerm(label, term)) },
    { value: 'Go to', items: [...pages, ...otherPages].filter(({ label }) => matchesTerm(label, term)) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
