import { parseMoney } from '@callout/domain/money/money-format';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CompanySettings, Onboarding } from './company.ts';
import { CustomerInput } from './customers.ts';
import {
  Id,
  optionalAmount,
  optionalLongText,
  optionalName,
  optionalText,
  requiredAmount,
  requiredLongText,
  requiredName,
  requiredText,
} from './fields.ts';
import { JobListInput } from './jobs.ts';
import { InvitationInput, StaffMemberInput } from './staff.ts';

const validate = (schema: z.ZodType, value: unknown) => {
  const { error, data } = schema.safeParse(value);
  return error ? error.issues[0]?.message : data;
};

it.each([
  ['group', { group: 'none' }, 'Please choose one of the listed options'],
  ['sort', { sort: 'none' }, 'Please choose one of the listed options'],
  ['order', { order: 'none' }, 'Please choose one of the listed options'],
  ['cursor type', { cursor: 7 }, 'This value is not valid'],
  ['cursor length', { cursor: 'x'.repeat(2001) }, 'This value is not valid'],
])('rejects an invalid %s with a readable message', (_, input, message) => {
  expect(validate(JobListInput, input)).toBe(message);
});

it.each([
  [{}, 'This is required'],
  [{ seen: 'there' }, 'This value is not valid'],
])('rejects a missing or invalid object with a readable message: %j', (input, message) => {
  expect(validate(z.object({ seen: z.object({}) }), input)).toBe(message);
});

describe('an id in a request', () => {
  it('is converted to lowercase', () => {
    expect(validate(Id, '018F0000-0000-7000-8000-00000000ABCD')).toBe('018f0000-0000-7000-8000-00000000abcd');
    expect(validate(Id, 'none')).toBe('This is not a valid id');
  });

  it('has the format uuid in the JSON schema', () => {
    expect(z.toJSONSchema(Id)).toMatchObject({ type: 'string', format: 'uuid' });
  });
});

describe.each([
  ['required', requiredText('Name', 20)],
  ['optional', optionalText('Name', 20)],
])('single-line text, %s', (_, schema) => {
  it.each(['Ana\nRuiz', 'Ana\r\nRuiz', 'Ana\rRuiz', 'Ana\u2028Ruiz', 'Ana\u0085Ruiz', 'Ana\vRuiz'])('rejects %j', (text) => {
    expect(validate(schema, text)).toBe('Name must be on one line');
  });

  it.each(['Ana\0', 'Ana\u0007Ruiz', 'Ana\u001b[2J', 'Ana\u007f'])('rejects the control character in %j', (text) => {
    expect(validate(schema, text)).toBe('Name contains a character that cannot be stored');
  });

  it('is stripped of marks that change the text direction', () => {
    for (const mark of '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      expect(validate(schema, `${mark} Ana${mark} Ruiz ${mark}`)).toBe('Ana Ruiz');
    }
  });

  it('is trimmed, with pasted tabs replaced by spaces', () => {
    expect(validate(schema, '\n Ana\tRuiz \r\n')).toBe('Ana Ruiz');
  });

  it('accepts every other character', () => {
    for (const text of ['Zoë Ōtākou', '山田 太郎', 'مریم', '👩‍🔧 Fix']) expect(validate(schema, text)).toBe(text);
  });
});

describe.each([
  ['required', requiredLongText('Notes', 20)],
  ['optional', optionalLongText('Notes', 20)],
])('multi-line text, %s', (_, schema) => {
  it('keeps its line breaks and tabs', () => {
    expect(validate(schema, 'Gate\n\tcode\r\n12')).toBe('Gate\n\tcode\r\n12');
  });

  it.each(['a\0b', 'a\u0007b', 'a\u001bb'])('rejects the control character in %j', (text) => {
    expect(validate(schema, text)).toBe('Notes contains a character that cannot be stored');
  });
});

it('has half an emoji replaced, so that a retried request matches the stored text', () => {
  for (const schema of [requiredText('Name', 20), optionalLongText('Notes', 20)]) expect(validate(schema, 'Ana \ud83d')).toBe('Ana \ufffd');
});

it('counts as missing if it is empty after cleaning', () => {
  expect(validate(requiredText('Name', 20), ' \n ')).toBe('Name is required');
  expect(validate(requiredText('Name', 20), '\u202e \u202c')).toBe('Name is required');
  expect(validate(requiredLongText('Notes', 20), '')).toBe('Notes is required');
  expect(validate(requiredName('Name', 20), '')).toBe('Name is required');
  expect([validate(optionalText('Name', 20), ' '), validate(optionalLongText('Notes', 20), null)]).toEqual([null, null]);
});

describe.each([
  ['required', requiredAmount('Hourly rate')],
  ['optional', optionalAmount('Hourly rate')],
])('an amount of money, %s', (_, schema) => {
  it.each(['0', '45', '45.5', '45.50', '9999999999.99', '0000000000045'])('accepts %s', (text) => {
    expect(validate(schema, text)).toBe(text);
  });

  it.each(['10000000000', '999999999999', '10000000000.00', '99999999999999999999'])('rejects %s as too large', (text) => {
    expect(validate(schema, text)).toBe('Hourly rate must be at most 9,999,999,999.99');
  });

  it.each(['-1', '1.005', '1e3', 'abc', '1,200', '.5', '5.'])('rejects %s as invalid', (text) => {
    expect(validate(schema, text)).toBe('Hourly rate must be 0 or more, with up to 2 decimal places');
  });

  it('accepts every non-negative amount that a person can type', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '5', '9', '.', ','), maxLength: 16 }), (text) => {
        const amount = parseMoney(text, null);
        expect(amount === null || validate(schema, amount) === amount).toBe(true);
      }),
    );
  });
});

/** Emails to strangers contain these names, and mail clients would turn a URL into a link. */
describe('a name', () => {
  const URL_TEXT = 'Your account is locked - go to evil.example';
  const getErrors = (schema: z.ZodType, value: object) =>
    Object.fromEntries((schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));

  it.each([
    ['name', InvitationInput, 'Full name'],
    ['name', StaffMemberInput, 'Full name'],
    ['company_name', Onboarding, 'Company name'],
    ['name', Onboarding, 'Your name'],
  ] as const)('of a person or company cannot contain a URL: %s', (field, schema, label) => {
    expect(getErrors(schema, { [field]: URL_TEXT })[field]).toBe(`${label} must not contain a web address. Put a space after each dot.`);
    for (const name of ['Smith / Sons: Plumbing', 'A.B.C. Plumbing Ltd.', 'No.1 Plumbing', 'J.R. Smith']) {
      expect(getErrors(schema, { [field]: name })[field]).toBeUndefined();
    }
  });

  it('is null if optional and empty', () => {
    expect([validate(optionalName('Your name', 20), ' '), validate(optionalName('Your name', 20), undefined)]).toEqual([null, null]);
  });
});

it('accepts several lines in addresses and notes', () => {
  const customer = { type: 'individual', status: 'active', name: 'Ana', email: 'ana@example.com', phone: '1' };
  expect(CustomerInput.safeParse({ ...customer, address: '1 Quay Street\nAuckland', notes: 'Gate\n12' }).success).toBe(true);
  expect(validate(CompanySettings.shape.address, '1 Quay Street\nAuckland')).toBe('1 Quay Street\nAuckland');
});
