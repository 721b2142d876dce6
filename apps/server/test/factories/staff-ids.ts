import { ROLES, type Role } from '@callout/domain/roles/roles';
import type { TestApp } from '../test-app.ts';
import type { Firm } from './people.ts';

/** The staff members of a firm's people. */
export async function staffIdsOf({ owner }: TestApp, { people }: Firm): Promise<Record<Role, string>> {
  const { rows } = await owner.query<{ id: string; profile_id: string }>(
    'select id, profile_id from staff_members where profile_id = any ($1)',
    [ROLES.map((role) => people[role].userId)],
  );
  const idOf = (role: Role) => rows.find(({ profile_id }) => profile_id === people[role].userId)?.id ?? '';
  return Object.fromEntries(ROLES.map((role) => [role, idOf(role)])) as Record<Role, string>;
}
