/** The permission table of shared/spec/readings.md. Code calls `hasCapability(role, capability)` and never compares role names. */
export const ROLES = ['admin', 'manager', 'accountant', 'staff'] as const;
export type Role = (typeof ROLES)[number];

export const ROLES_BY_CAPABILITY = {
  'work.view': ROLES,
  'files.add': ROLES,
  'jobs.work': ROLES,
  'jobs.edit': ['admin', 'manager'],
  'customers.view': ROLES,
  'customers.edit': ROLES,
  'customers.delete': ['admin', 'manager'],
  'items.edit': ['admin', 'manager', 'accountant'],
  'quotes.view': ROLES,
  'quotes.edit': ['admin', 'manager', 'accountant'],
  'quotes.delete': ['admin', 'manager'],
  'quotes.accept': ['admin', 'manager'],
  'payments.manage': ['admin', 'manager', 'accountant'],
  'costs.view': ['admin', 'manager', 'accountant'],
  'time.viewAll': ['admin', 'manager', 'accountant'],
  'time.editAll': ['admin', 'manager'],
  'staff.manage': ['admin'],
  'staff.add': ['admin'],
  'company.edit': ['admin'],
  'company.delete': ['admin'],
  'categories.edit': ['admin', 'manager'],
} as const satisfies Record<string, readonly Role[]>;

export type Capability = keyof typeof ROLES_BY_CAPABILITY;

export const ALL_CAPABILITIES = Object.keys(ROLES_BY_CAPABILITY) as Capability[];

/** Completes the message 'You do not have permission to …'. */
export const CAPABILITY_LABELS: Record<Capability, string> = {
  'work.view': "see this company's work",
  'files.add': 'add files',
  'jobs.work': 'work on jobs',
  'jobs.edit': 'edit jobs',
  'customers.view': 'see customers',
  'customers.edit': 'edit customers',
  'customers.delete': 'delete customers',
  'items.edit': 'edit suppliers and items',
  'quotes.view': 'see quotes',
  'quotes.edit': 'edit quotes',
  'quotes.delete': 'delete quotes',
  'quotes.accept': 'accept or reject quotes',
  'payments.manage': 'manage payments',
  'costs.view': 'see cost prices',
  'time.viewAll': "see other people's time sheets",
  'time.editAll': "add or change other people's time",
  'staff.manage': 'manage staff members',
  'staff.add': 'add staff members',
  'company.edit': 'change the company settings',
  'company.delete': 'delete the company',
  'categories.edit': 'change categories',
};

/** Returns false for unknown roles, including hostile ones such as '__proto__'. */
export function hasCapability(role: string | null | undefined, capability: Capability): boolean {
  const allowed: readonly string[] = ROLES_BY_CAPABILITY[capability];
  return typeof role === 'string' && allowed.includes(role);
}

export function formatPermissionError(capability: Capability): string {
  return `You do not have permission to ${CAPABILITY_LABELS[capability]}`;
}
