import { parseMoney } from '@callout/domain/money/money-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CompanySettings, Onboarding } from './company.ts';
import { CustomerForm } from './customers.ts';
import {
  Id,
  optionalAmount,
  optionalLines,
  optionalName,
  optionalText,
  requiredAmount,
  requiredLines,
  requiredName,
  requiredText,
} from './fields.ts';
import { JobListInput } from './jobs.ts';
import { InvitationForm, StaffMemberForm } from './staff.ts';

const saysOf = (schema: z.ZodType, value: unknown) => {
  const { error, data } = schema.safeParse(value);
  return error ? error.issues[0]?.message : data;
};

it.each([
  ['group', { group: 'none' }, 'Please choose one of the offered values'],
  ['sort', { sort: 'none' }, 'Please choose one of the offered values'],
  ['order', { order: 'none' }, 'Please choose one of the offered values'],
  ['cursor of no text', { cursor: 7 }, 'This is not a valid value'],
  ['long cursor', { cursor: 'x'.repeat(2001) }, 'This is not a valid value'],
])('a %s that no form sends is refused in a sentence', (_, input, sentence) => {
  expect(saysOf(JobListInput, input)).toBe(sentence);
});

it.each([
  [{}, 'This is required'],
  [{ seen: 'there' }, 'This is not a valid value'],
])('a missing part is refused in a sentence: %j', (input, sentence) => {
  expect(saysOf(z.object({ seen: z.object({}) }), input)).toBe(sentence);
});

describe('an id', () => {
  it('is lowercased', () => {
    expect(saysOf(Id, '018F0000-0000-7000-8000-00000000ABCD')).toBe('018f0000-0000-7000-8000-00000000abcd');
    expect(saysOf(Id, 'none')).toBe('This is not a valid id');
  });

  it('is still described as a uuid', () => {
    expect(z.toJSONSchema(Id)).toMatchObject({ type: 'string', format: 'uuid' });
  });
});

describe.each([
  ['required', requiredText('Name', 20)],
  ['optional', optionalText('Name', 20)],
])('single-line text, %s', (_, schema) => {
  it.each(['Ana\nRuiz', 'Ana\r\nRuiz', 'Ana\rRuiz', 'Ana\u2028Ruiz', 'Ana\u0085Ruiz', 'Ana\vRuiz'])('is not %j', (text) => {
    expect(saysOf(schema, text)).toBe('Name must be on one line');
  });

  it.each(['Ana\0', 'Ana\u0007Ruiz', 'Ana\u001b[2J', 'Ana\u007f'])('refuses the invisible character %j', (text) => {
    expect(saysOf(schema, text)).toBe('Name contains a character that cannot be stored');
  });

  it('loses characters that only turn the direction of the text around', () => {
    for (const mark of '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      expect(saysOf(schema, `${mark} Ana${mark} Ruiz ${mark}`)).toBe('Ana Ruiz');
    }
  });

  it('is trimmed, and a pasted tab becomes a space', () => {
    expect(saysOf(schema, '\n Ana\tRuiz \r\n')).toBe('Ana Ruiz');
  });

  it('accepts every other character', () => {
    for (const text of ['Zoë Ōtākou', '山田 太郎', 'مریم', '👩‍🔧 Fix']) expect(saysOf(schema, text)).toBe(text);
  });
});

describe.each([
  ['required', requiredLines('Notes', 20)],
  ['optional', optionalLines('Notes', 20)],
])('multi-line text, %s', (_, schema) => {
  it('keeps its line breaks and tabs', () => {
    expect(saysOf(schema, 'Gate\n\tcode\r\n12')).toBe('Gate\n\tcode\r\n12');
  });

  it.each(['a\0b', 'a\u0007b', 'a\u001bb'])('refuses the invisible character %j', (text) => {
    expect(saysOf(schema, text)).toBe('Notes contains a character that cannot be stored');
  });
});

it('half of an emoji is what it is stored as, so that the same text sent again is the same', () => {
  for (const schema of [requiredText('Name', 20), optionalLines('Notes', 20)]) expect(saysOf(schema, 'Ana \ud83d')).toBe('Ana \ufffd');
});

it('an empty value is still reported as required, or absent', () => {
  expect(saysOf(requiredText('Name', 20), ' \n ')).toBe('Name is required');
  expect(saysOf(requiredText('Name', 20), '\u202e \u202c')).toBe('Name is required');
  expect(saysOf(requiredLines('Notes', 20), '')).toBe('Notes is required');
  expect(saysOf(requiredName('Name', 20), '')).toBe('Name is required');
  expect([saysOf(optionalText('Name', 20), ' '), saysOf(optionalLines('Notes', 20), null)]).toEqual([null, null]);
});

describe.each([
  ['required', requiredAmount('Hourly rate')],
  ['optional', optionalAmount('Hourly rate')],
])('an amount of money, %s', (_, schema) => {
  it.each(['0', '45', '45.5', '45.50', '9999999999.99', '0000000000045'])('may be %s', (text) => {
    expect(saysOf(schema, text)).toBe(text);
  });

  it.each(['10000000000', '999999999999', '10000000000.00', '99999999999999999999'])('may not be as large as %s', (text) => {
    expect(saysOf(schema, text)).toBe('Hourly rate must be at most 9,999,999,999.99');
  });

  it.each(['-1', '1.005', '1e3', 'abc', '1,200', '.5', '5.'])('may not be %s', (text) => {
    expect(saysOf(schema, text)).toBe('Hourly rate must be 0 or more, with up to 2 decimal places');
  });

  it('is any non-negative amount a person may type', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '5', '9', '.', ','), maxLength: 16 }), (text) => {
        const amount = parseMoney(text, null);
        expect(amount === null || saysOf(schema, amount) === amount).toBe(true);
      }),
    );
  });
});

/** Names appear in mails to strangers. */
describe('a name', () => {
  const LINK = 'Your account is locked - go to evil.example';
  const fieldsOf = (schema: z.ZodType, value: object) =>
    Object.fromEntries((schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));

  it.each([
    ['name', InvitationForm, 'Full name'],
    ['name', StaffMemberForm, 'Full name'],
    ['company_name', Onboarding, 'Company name'],
    ['name', Onboarding, 'Your name'],
  ] as const)('of a person or company may not be a link: %s', (field, schema, label) => {
    expect(fieldsOf(schema, { [field]: LINK })[field]).toBe(`${label} must not contain a web address. Put a space after each dot.`);
    for (const name of ['Smith / Sons: Plumbing', 'A.B.C. Plumbing Ltd.', 'No.1 Plumbing', 'J.R. Smith']) {
      expect(fieldsOf(schema, { [field]: name })[field]).toBeUndefined();
    }
  });

  it('is absent when optional and empty', () => {
    expect([saysOf(optionalName('Your name', 20), ' '), saysOf(optionalName('Your name', 20), undefined)]).toEqual([null, null]);
  });
});

it('addresses and notes may have several lines', () => {
  const customer = { type: 'individual', status: 'active', name: 'Ana', email: 'ana@example.com', phone: '1' };
  expect(CustomerForm.safeParse({ ...customer, address: '1 Quay Street\nAuckland', notes: 'Gate\n12' }).success).toBe(true);
  expect(saysOf(CompanySettings.shape.address, '1 Quay Street\nAuckland')).toBe('1 Quay Street\nAuckland');
});
