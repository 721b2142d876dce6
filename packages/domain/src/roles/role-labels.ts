import type { Role } from './roles.ts';

/** Role labels for use in a sentence: 'You join as {a manager}.' */
export const ROLE_LABELS_WITH_ARTICLE: Record<Role, string> = {
  admin: 'an admin',
  manager: 'a manager',
  accountant: 'an accountant',
  staff: 'a staff member',
};
