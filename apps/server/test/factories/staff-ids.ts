import { ROLES, type Role } from '@callout/domain/roles/roles';
import type { TestApp } from '../test-app.ts';
import type { Firm } from './people.ts';

/** Reads the staff member ids of the firm's people, keyed by role. */
export async function readStaffIds({ owner }: TestApp, { people }: Firm): Promise<Record<Role, string>> {
  const { rows } = await owner.query<{ id: string; profile_id: string }>(
    'select id, profile_id from staff_members where profile_id = any ($1)',
    [ROLES.map((role) => people[role].userId)],
  );
  const getId = (role: Role) => rows.find(({ profile_id }) => profile_id === people[role].userId)?.id ?? '';
  return Object.fromEntries(ROLES.map((role) => [role, getId(role)])) as Record<Role, string>;
}
