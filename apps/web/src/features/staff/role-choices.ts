import { ROLES, type Role } from '@callout/domain/roles/roles';

export const ROLE_LABELS: Record<Role, string> = { admin: 'Admin', manager: 'Manager', accountant: 'Accountant', staff: 'Staff' };

const ROLE_MAY: Record<Role, string> = {
  admin: 'May do everything, including staff and company settings.',
  manager: 'Runs the work: edits and deletes jobs, customers and quotes, manages payments, items and categories.',
  accountant: 'Does the books: quotes, items, payments and costs. Deletes no jobs, customers or quotes.',
  staff: 'Does the work: jobs, timer, tasks, customers. Sees quotes, but no costs and no payments.',
};

/** One line each on what the role may do, in the words of the table of capabilities. */
export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_LABELS[value], hint: ROLE_MAY[value] }));
