import type { Role } from './roles.ts';

/** A role within a sentence: 'You join as {a manager}.' */
export const ROLE_IN_SENTENCE: Record<Role, string> = {
  admin: 'an admin',
  manager: 'a manager',
  accountant: 'an accountant',
  staff: 'a staff member',
};
