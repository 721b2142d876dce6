import { type Capability, can } from '@callout/domain/roles/roles';
import { BriefcaseBusiness, FileText, HardHat, ListTodo, type LucideIcon, UserPlus, UserRound } from 'lucide-react';
import type { MenuEntry } from '../menu-entries.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: LucideIcon;
  /** An address of this application. */
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
  { id: 'new-task', label: 'New Task', icon: ListTodo, href: '/todo', needs: 'jobs.work' },
  { id: 'new-staff-member', label: 'New Staff Member', icon: HardHat, href: '/staff/new', needs: 'staff.manage' },
];

interface FoundCustomer {
  readonly id: string;
  readonly name: string;
  readonly company_name: string | null;
  readonly phone: string;
}

interface Known {
  readonly term: string;
  readonly menu: readonly MenuEntry[];
  readonly role: string | undefined;
  readonly customers: readonly FoundCustomer[];
}

/** Every word typed must start a word of the label. */
export function fits(label: string, term: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const wanted = term.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.every((part) => words.some((word) => word.startsWith(part)));
}

/** Customers first when something was typed, because a name is what people type. */
export function paletteGroups({ term, menu, role, customers }: Known): PaletteGroup[] {
  const pages = menu.map(({ id, label, to, icon }): PaletteItem => ({ id: `page-${id}`, label, icon, href: to }));
  const people = customers.map(
    ({ id, name, company_name: company, phone }): PaletteItem => ({
      id,
      label: name,
      detail: company ?? phone,
      icon: UserRound,
      href: `/customers/${id}`,
    }),
  );
  const groups: PaletteGroup[] = [
    { value: 'Customers', items: people },
    { value: 'Create', items: CREATE.filter(({ needs, label }) => can(role, needs) && fits(label, term)) },
    { value: 'Go to', items: pages.filter(({ label }) => fits(label, term)) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
