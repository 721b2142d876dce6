import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, can, ROLES, refusal } from './roles.ts';

describe('roles', () => {
  it('have exactly the permissions of the table', () => {
    const table = Object.fromEntries(
      ALL_CAPABILITIES.map((capability) => [capability, ROLES.filter((role) => can(role, capability)).join(' ')]),
    );
    expect(table).toEqual({
      'work.view': 'admin manager accountant staff',
      'files.add': 'admin manager accountant staff',
      'jobs.work': 'admin manager accountant staff',
      'jobs.edit': 'admin manager',
      'customers.view': 'admin manager accountant staff',
      'customers.edit': 'admin manager accountant staff',
      'customers.delete': 'admin manager',
      'items.edit': 'admin manager accountant',
      'quotes.view': 'admin manager accountant staff',
      'quotes.edit': 'admin manager accountant',
      'quotes.delete': 'admin manager',
      'quotes.accept': 'admin manager',
      'payments.manage': 'admin manager accountant',
      'costs.view': 'admin manager accountant',
      'time.viewAll': 'admin manager accountant',
      'staff.manage': 'admin',
      'staff.add': 'admin',
      'company.edit': 'admin',
      'categories.edit': 'admin manager',
    });
  });

  it.each(['owner', 'ADMIN', '', '__proto__', 'constructor', 'toString', null, undefined])('give an unknown role %j nothing', (role) => {
    expect(ALL_CAPABILITIES.filter((capability) => can(role, capability))).toEqual([]);
  });

  it('refuse in the words of the spec', () => {
    expect(refusal('customers.delete')).toBe('You do not have permission to delete customers');
  });
});
