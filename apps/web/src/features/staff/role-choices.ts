import { ROLES, type Role } from '@callout/domain/roles/roles';

export const ROLE_LABELS: Record<Role, string> = { admin: 'Admin', manager: 'Manager', accountant: 'Accountant', staff: 'Staff' };

const ROLE_HINTS: Record<Role, string> = {
  admin: 'Can do everything, including staff and company settings.',
  manager: 'Runs the work: edits and deletes jobs, customers and quotes, manages payments, items and categories.',
  accountant: "Does the books: quotes, items, payments and costs. Can't delete jobs, customers or quotes.",
  staff: 'Does the work: jobs, timer, tasks, customers. Can see quotes, but not costs or payments.',
};

/** One line each on what the role can do, as the table of capabilities has it. */
export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_LABELS[value], hint: ROLE_HINTS[value] }));
