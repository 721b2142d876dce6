import type { ContractInputs } from '@callout/contract/contract';
import { hasCapability, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { createFirm, createPerson } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const SETTINGS: ContractInputs['company']['update'] = {
  version: 1,
  company_name: 'Tane Plumbing & Gas',
  email: 'office@example.com',
  phone: '09 555 000',
  timezone: 'Europe/Berlin',
  address: '1 Quay Street\nAuckland',
  gst_number: '123-456-789',
  gst_percentage: '12.5',
  default_hourly_rate: '95.50',
  currency: 'EUR',
  bank_name: 'Kiwi Bank',
  bank_account_number: '01-0001-0000001-00',
  paypal_email: 'pay@example.com',
  add_paypal_fees: true,
  paypal_fee_percentage: '3.4',
  quote_reminder_days: '7',
  payment_terms_days: '14',
  invoice_reminder_days: '3',
  invoice_reminder_subject: 'Your invoice {{invoice_number}}',
  invoice_reminder_body: 'Kia ora\n\nA friendly reminder.',
};

describe('a company’s settings', () => {
  it('are saved as entered, and every colleague can read them', async () => {
    const { people } = await createFirm(test);
    const { profile } = await people.admin.client.company.update(SETTINGS);
    expect(profile).toMatchObject({ ...SETTINGS, version: 2, onboarding_completed: true });
    expect((await people.staff.client.company.me()).profile).toMatchObject({ ...SETTINGS, version: 2, role: 'staff' });
  });

  it('can be left empty, except the name, tax, currency and fee', async () => {
    const { people } = await createFirm(test);
    const cleared = Object.fromEntries(
      [
        'email',
        'phone',
        'timezone',
        'address',
        'gst_number',
        'default_hourly_rate',
        'bank_name',
        'bank_account_number',
        'paypal_email',
        'payment_terms_days',
        'invoice_reminder_days',
        'invoice_reminder_subject',
        'invoice_reminder_body',
      ].map((field) => [field, '']),
    );
    const { profile } = await people.admin.client.company.update({ ...SETTINGS, ...cleared });
    expect(profile).toMatchObject(Object.fromEntries(Object.keys(cleared).map((field) => [field, null])));
  });

  it.each(['quote', 'invoice'] as const)(
    'restart %s reminders only when they are turned on or their number of days changes',
    async (kind) => {
      const { companyId, people } = await createFirm(test);
      const off = { ...SETTINGS, quote_reminder_days: '', invoice_reminder_days: '' };
      const on = { ...off, [`${kind}_reminder_days`]: '7' };
      const readSince = async () => {
        const { rows } = await test.owner.query<{ since: Date | null; other: Date | null }>(
          `select ${kind}_reminders_since as since, ${kind === 'quote' ? 'invoice' : 'quote'}_reminders_since as other
          from companies where company_id = $1`,
          [companyId],
        );
        return rows[0];
      };
      const { company } = people.admin.client;
      await company.update(off);
      expect(await readSince()).toEqual({ since: null, other: null });
      await company.update({ ...on, version: 2 });
      const first = await readSince();
      expect(first).toEqual({ since: expect.any(Date) as Date, other: null });
      await company.update({ ...on, phone: '09 555 0199', version: 3 });
      expect(await readSince()).toEqual(first);
      await company.update({ ...on, [`${kind}_reminder_days`]: '3', version: 4 });
      const second = await readSince();
      expect(second?.since?.getTime()).toBeGreaterThan(first?.since?.getTime() ?? 0);
      await company.update({ ...off, version: 5 });
      await company.update({ ...on, version: 6 });
      expect((await readSince())?.since?.getTime()).toBeGreaterThan(second?.since?.getTime() ?? 0);
    },
  );

  it('are not overwritten by a stale version, and the response contains the current settings', async () => {
    const { people } = await createFirm(test);
    await people.admin.client.company.update({ ...SETTINGS, company_name: 'First' });
    await expect(people.admin.client.company.update({ ...SETTINGS, company_name: 'Second' })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { company_name: 'First', version: 2 } },
    });
    expect((await people.admin.client.company.me()).profile?.company_name).toBe('First');
  });

  it('are saved once by concurrent updates of the same version', async () => {
    const { people } = await createFirm(test);
    const outcomes = await Promise.allSettled(
      ['A', 'B', 'C', 'D'].map((name) => people.admin.client.company.update({ ...SETTINGS, company_name: name })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await people.admin.client.company.me()).profile?.version).toBe(2);
  });

  it('can be saved before onboarding is complete, without completing it', async () => {
    const { client } = await createPerson(test);
    await client.company.start();
    expect((await client.company.update(SETTINGS)).profile).toMatchObject({
      company_name: 'Tane Plumbing & Gas',
      onboarding_completed: false,
    });
  });

  it.each([
    ['company_name', '', 'Company name is required'],
    ['company_name', 'evil.example', 'Company name must not contain a web address. Put a space after each dot.'],
    ['company_name', 'n'.repeat(500), 'Company name must be at most 200 characters'],
    ['email', 'office', 'Please enter a valid email address'],
    ['gst_percentage', '101', 'GST percentage must be a number from 0 to 100'],
    ['gst_percentage', '100.001', 'GST percentage must be a number from 0 to 100'],
    ['gst_percentage', '-1', 'GST percentage must be a number from 0 to 100'],
    ['gst_percentage', '12.3456', 'Use at most 3 decimal places.'],
    ['gst_percentage', '', 'GST percentage is required'],
    ['paypal_fee_percentage', '100', 'Fee percentage must be a number of at least 0 and less than 100'],
    ['paypal_fee_percentage', '1e1', 'Fee percentage must be a number of at least 0 and less than 100'],
    ['quote_reminder_days', '0', 'Please enter a whole number from 1 to 90, or leave this empty'],
    ['quote_reminder_days', '91', 'Please enter a whole number from 1 to 90, or leave this empty'],
    ['quote_reminder_days', '7.5', 'Please enter a whole number from 1 to 90, or leave this empty'],
    ['invoice_reminder_days', '0', 'Please enter a whole number from 1 to 90, or leave this empty'],
    ['payment_terms_days', '181', 'Please enter a whole number from 0 to 180, or leave this empty'],
    ['payment_terms_days', '-1', 'Please enter a whole number from 0 to 180, or leave this empty'],
    ['default_hourly_rate', '-1', 'Default hourly rate must be 0 or more, with up to 2 decimal places'],
    ['default_hourly_rate', '1.005', 'Default hourly rate must be 0 or more, with up to 2 decimal places'],
    ['default_hourly_rate', '10000000000', 'Default hourly rate must be at most 9,999,999,999.99'],
    ['default_hourly_rate', '999999999999', 'Default hourly rate must be at most 9,999,999,999.99'],
    ['timezone', 'Mars/Olympus', 'Please choose a time zone'],
    ['currency', 'CHF', 'Please choose a currency'],
  ])('reject %s set to %j and save nothing', async (field, value, message) => {
    const { people } = await createFirm(test);
    const response = await test.request('PUT', '/api/company', { cookie: people.admin.cookie, body: { ...SETTINGS, [field]: value } });
    expect([response.statusCode, response.json()]).toMatchObject([422, { code: 'INVALID_INPUT', data: { fields: { [field]: message } } }]);
    expect((await people.admin.client.company.me()).profile?.version).toBe(1);
  });

  describe('with a stored company name that looks like a URL', () => {
    const STORED = { ...SETTINGS, company_name: 'Plumb.it' };
    const openSettingsWithStoredName = async () => {
      const firm = await createFirm(test);
      await test.owner.query('update companies set company_name = $2 where company_id = $1', [firm.companyId, STORED.company_name]);
      return firm.people.admin.client.company;
    };

    it('are saved if the name is unchanged', async () => {
      const company = await openSettingsWithStoredName();
      expect((await company.update(STORED)).profile).toMatchObject({ ...STORED, version: 2 });
    });

    it('reject another name that looks like a URL and save nothing', async () => {
      const company = await openSettingsWithStoredName();
      const fields = { company_name: 'Company name must not contain a web address. Put a space after each dot.' };
      await expect(company.update({ ...STORED, company_name: 'Pipes.it' })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields },
      });
      expect((await company.me()).profile).toMatchObject({ company_name: 'Plumb.it', version: 1 });
    });
  });

  it.each([
    ['0', '0'],
    ['100', '100'],
    ['8.875', '8.875'],
  ])('preserve a GST percentage of %s', async (typed, stored) => {
    const { people } = await createFirm(test);
    expect((await people.admin.client.company.update({ ...SETTINGS, gst_percentage: typed })).profile?.gst_percentage).toBe(stored);
  });

  it('preserve the largest possible hourly rate', async () => {
    const { people } = await createFirm(test);
    const { profile } = await people.admin.client.company.update({ ...SETTINGS, default_hourly_rate: '9999999999.99' });
    expect(profile?.default_hourly_rate).toBe('9999999999.99');
  });

  it.each(ROLES.filter((role) => !hasCapability(role, 'company.edit')))('cannot be changed by the %s', async (role) => {
    const { people } = await createFirm(test);
    await expect(people[role].client.company.update(SETTINGS)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'You do not have permission to change the company settings',
    });
  });

  it('are published to every open page of the company', async () => {
    const { people } = await createFirm(test);
    const stream = await openEventStream(test, people.staff.cookie);
    await people.admin.client.company.update(SETTINGS);
    expect(await stream.next()).toMatchObject({ event: 'change', data: { topics: expect.arrayContaining(['me']) } });
  });

  it.each([
    [{ gst_percentage: '10' }, ['me', 'jobs', 'quotes', 'timer']],
    [{ default_hourly_rate: '120.00' }, ['me', 'jobs', 'quotes', 'timer']],
    [{ timezone: 'Europe/Paris' }, ['me', 'invoices']],
    [{ payment_terms_days: '21' }, ['me', 'invoices']],
    [{ currency: 'AUD' as const }, ['me', 'jobs', 'quotes', 'timer', 'invoices']],
    [{ paypal_fee_percentage: '4.5' }, ['me', 'invoices']],
    [{ bank_name: 'Kiwibank' }, ['me']],
  ])('with the change %j refresh the pages that show it', async (change, topics) => {
    const { people } = await createFirm(test);
    const stream = await openEventStream(test, people.staff.cookie);
    const { profile } = await people.admin.client.company.update(SETTINGS);
    await stream.next();
    await people.admin.client.company.update({ ...SETTINGS, ...change, version: profile?.version ?? 0 });
    expect(await stream.next()).toEqual({ event: 'change', data: { topics } });
  });
});
