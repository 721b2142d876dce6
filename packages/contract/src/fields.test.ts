import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CompanySettings, Onboarding } from './company.ts';
import { CustomerForm } from './customers.ts';
import { optionalLines, optionalName, optionalText, requiredLines, requiredName, requiredText } from './fields.ts';
import { InvitationForm, StaffMemberForm } from './staff.ts';

const saysOf = (schema: z.ZodType, value: unknown) => {
  const { error, data } = schema.safeParse(value);
  return error ? error.issues[0]?.message : data;
};

describe.each([
  ['required', requiredText('Name', 20)],
  ['optional', optionalText('Name', 20)],
])('a text on one line, %s', (_, schema) => {
  it.each(['Ana\nRuiz', 'Ana\r\nRuiz', 'Ana\rRuiz', 'Ana\u2028Ruiz', 'Ana\u0085Ruiz', 'Ana\vRuiz'])('is not %j', (text) => {
    expect(saysOf(schema, text)).toBe('Name must be on one line');
  });

  it.each(['Ana\0', 'Ana\u0007Ruiz', 'Ana\u001b[2J', 'Ana\u007f'])('has no character that shows nothing: %j', (text) => {
    expect(saysOf(schema, text)).toBe('Name contains a character that cannot be stored');
  });

  it('loses the breaks around it, and has a space where a tab was pasted', () => {
    expect(saysOf(schema, '\n Ana\tRuiz \r\n')).toBe('Ana Ruiz');
  });

  it('has every other letter there is', () => {
    for (const text of ['Zoë Ōtākou', '山田 太郎', 'مریم', '👩‍🔧 Fix']) expect(saysOf(schema, text)).toBe(text);
  });
});

describe.each([
  ['required', requiredLines('Notes', 20)],
  ['optional', optionalLines('Notes', 20)],
])('a text on several lines, %s', (_, schema) => {
  it('keeps its breaks and tabs', () => {
    expect(saysOf(schema, 'Gate\n\tcode\r\n12')).toBe('Gate\n\tcode\r\n12');
  });

  it.each(['a\0b', 'a\u0007b', 'a\u001bb'])('has no character that shows nothing: %j', (text) => {
    expect(saysOf(schema, text)).toBe('Notes contains a character that cannot be stored');
  });
});

it('what is left empty is still said to be required, or absent', () => {
  expect(saysOf(requiredText('Name', 20), ' \n ')).toBe('Name is required');
  expect(saysOf(requiredLines('Notes', 20), '')).toBe('Notes is required');
  expect(saysOf(requiredName('Name', 20), '')).toBe('Name is required');
  expect([saysOf(optionalText('Name', 20), ' '), saysOf(optionalLines('Notes', 20), null)]).toEqual([null, null]);
});

/** Names stand in mails to people who do not know us. */
describe('a name', () => {
  const LINK = 'Your account is locked - go to evil.example';
  const fieldsOf = (schema: z.ZodType, value: object) =>
    Object.fromEntries((schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));

  it.each([
    ['name', InvitationForm, 'Full name'],
    ['name', StaffMemberForm, 'Full name'],
    ['company_name', Onboarding, 'Company name'],
    ['name', Onboarding, 'Your name'],
    ['company_name', CompanySettings, 'Company name'],
  ] as const)('of a person or company is no link: %s', (field, schema, label) => {
    expect(fieldsOf(schema, { [field]: LINK })[field]).toBe(`${label} must not contain a web address. Put a space after each dot.`);
    for (const name of ['Smith / Sons: Plumbing', 'A.B.C. Plumbing Ltd.', 'No.1 Plumbing', 'J.R. Smith']) {
      expect(fieldsOf(schema, { [field]: name })[field]).toBeUndefined();
    }
  });

  it('that may be left out is absent then', () => {
    expect([saysOf(optionalName('Your name', 20), ' '), saysOf(optionalName('Your name', 20), undefined)]).toEqual([null, null]);
  });
});

it('addresses and notes go over several lines', () => {
  const customer = { type: 'individual', status: 'active', name: 'Ana', email: 'ana@example.com', phone: '1' };
  expect(CustomerForm.safeParse({ ...customer, address: '1 Quay Street\nAuckland', notes: 'Gate\n12' }).success).toBe(true);
  expect(saysOf(CompanySettings.shape.address, '1 Quay Street\nAuckland')).toBe('1 Quay Street\nAuckland');
});
