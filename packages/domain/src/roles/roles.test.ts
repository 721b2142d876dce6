import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, formatPermissionError, hasCapability, ROLES } from './roles.ts';

describe('roles', () => {
  it('have exactly the capabilities in this table', () => {
    const table = Object.fromEntries(
      ALL_CAPABILITIES.map((capability) => [capability, ROLES.filter((role) => hasCapability(role, capability)).join(' ')]),
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
      'time.editAll': 'admin manager',
      'staff.manage': 'admin',
      'staff.add': 'admin',
      'company.edit': 'admin',
      'company.delete': 'admin',
      'categories.edit': 'admin manager',
    });
  });

  it.each(['owner', 'ADMIN', '', '__proto__', 'constructor', 'toString', null, undefined])(
    'grant nothing if the role is unknown: %j',
    (role) => {
      expect(ALL_CAPABILITIES.filter((capability) => hasCapability(role, capability))).toEqual([]);
    },
  );

  it("deny an action with the specification's message", () => {
    expect(formatPermissionError('customers.delete')).toBe('You do not have permission to delete customers');
    const messages = ALL_CAPABILITIES.map(formatPermissionError);
    for (const message of messages) expect(message).toMatch(/^You do not have permission to [a-z].*[a-z]$/);
    expect(new Set(messages).size).toBe(messages.length);
  });
});
