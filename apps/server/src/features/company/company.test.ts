import { randomUUID } from 'node:crypto';
import { hasCapability, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { signIn, signUp } from '../../../test/accounts.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { markEmailClaimed } from '../../../test/factories/administrator.ts';
import { buildProfile } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ ADMIN_EMAIL: 'Operator@example.com' });
});

const ONBOARDING = buildProfile();

async function readRows(table: 'companies' | 'staff_members', userId: string) {
  const { rows } = await test.app.platform.pools.system.query<Record<string, unknown>>(
    `select t.* from ${table} t where company_id in (select company_id from staff_members where profile_id = $1)`,
    [userId],
  );
  return rows;
}

describe('a new person', () => {
  it('has no profile until they start their company', async () => {
    const { client, email, userId } = await createPerson(test);
    expect(await client.company.me()).toEqual({
      user: { id: userId, email, name: email.split('@')[0], staff_id: null, avatar_url: null, hex_code: null, pending_email: null },
      profile: null,
      company_deletes_at: null,
      is_system_admin: false,
      must_confirm_email: false,
      sends_mail: false,
      menu_order: null,
      start_card_dismissed: false,
    });
  });

  it('becomes the admin and first staff member of the company they start', async () => {
    const { client, email, userId } = await createPerson(test);
    const { profile } = await client.company.start();
    expect(profile).toMatchObject({ id: userId, role: 'admin', email, company_name: null, onboarding_completed: false });
    expect(await readRows('staff_members', userId)).toMatchObject([{ profile_id: userId, email, role: 'admin' }]);
    expect((await client.company.me()).profile).toEqual(profile);
  });

  it('starts one company, even with concurrent requests', async () => {
    const { client, userId } = await createPerson(test);
    const started = await Promise.all([1, 2, 3, 4].map(() => client.company.start()));
    expect(new Set(started.map(({ profile }) => profile?.company_id)).size).toBe(1);
    expect((await client.company.start()).profile).toEqual(started[0]?.profile);
    expect(await readRows('companies', userId)).toHaveLength(1);
    const { rows } = await test.app.platform.pools.system.query('select 1 from companies where email = $1', [started[0]?.user.email]);
    expect(rows).toHaveLength(1);
  });

  it('creates their company and completes its profile in one call, as its admin', async () => {
    const { client, userId, email } = await createPerson(test);
    const { profile, user } = await client.company.completeOnboarding(ONBOARDING);
    expect(profile).toMatchObject({ ...ONBOARDING, id: userId, role: 'admin', email, onboarding_completed: true });
    expect(user.staff_id).toBe((await client.company.me()).user.staff_id);
    expect(await readRows('staff_members', userId)).toMatchObject([{ profile_id: userId, email, role: 'admin' }]);
  });

  it('creates one company, even if they submit the profile several times at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { client, email, userId } = await createPerson(test);
      const completed = await Promise.all([1, 2, 3, 4].map(() => client.company.completeOnboarding(ONBOARDING)));
      expect(new Set(completed.map(({ profile }) => profile?.company_id)).size).toBe(1);
      expect((await client.company.completeOnboarding(ONBOARDING)).profile).toEqual(completed[0]?.profile);
      expect(await readRows('companies', userId)).toMatchObject([{ company_name: 'Tane Plumbing', onboarding_completed: true }]);
      const { rows } = await test.app.platform.pools.system.query('select 1 from companies where email = $1', [email]);
      expect(rows).toHaveLength(1);
    }
  });

  it('saves one of two different profiles submitted at once and rejects the other', async () => {
    const { client, userId } = await createPerson(test);
    const names = ['One', 'Two'];
    const outcomes = await Promise.allSettled(
      names.map((company_name) => client.company.completeOnboarding({ ...ONBOARDING, company_name })),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'ALREADY_DONE' } }]);
    const savedName = names[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect(await readRows('companies', userId)).toMatchObject([{ company_name: savedName }]);
  });

  it('has no company after an invalid profile', async () => {
    const { client, email, cookie } = await createPerson(test);
    const response = await test.request('POST', '/api/company/onboarding', { cookie, body: { ...ONBOARDING, phone: '' } });
    expect(response.statusCode).toBe(422);
    expect((await client.company.me()).profile).toBeNull();
    expect((await test.app.platform.pools.system.query('select 1 from companies where email = $1', [email])).rows).toEqual([]);
  });
});

describe('onboarding', () => {
  it.each([
    ['is used as typed', 'Mia Tane', 'Mia Tane'],
    ['is taken from their email if left empty', '', undefined],
  ])('sets the owner’s name, which %s', async (_, name, expectedName) => {
    const [newPerson, started] = [await createPerson(test), await createPerson(test)];
    await started.client.company.start();
    for (const { client, email } of [newPerson, started]) {
      const { user } = await client.company.completeOnboarding({ ...ONBOARDING, name });
      expect(user.name).toBe(expectedName ?? email.split('@')[0]);
      expect((await client.staff.list()).rows.map((member) => member.name)).toEqual([user.name]);
    }
  });

  it('completes the profile for every colleague', async () => {
    const { client } = await createPerson(test);
    await client.company.start();
    const { profile } = await client.company.completeOnboarding(ONBOARDING);
    expect(profile).toMatchObject({ ...ONBOARDING, role: 'admin', onboarding_completed: true });
    expect((await client.company.me()).profile).toEqual(profile);
  });

  it.each([
    ['0', '0'],
    ['100', '100'],
    ['12.5', '12.5'],
    ['8.875', '8.875'],
    ['10.50', '10.5'],
  ])('preserves a GST percentage of %s exactly', async (typed, stored) => {
    const { client } = await createPerson(test);
    await client.company.start();
    const { profile } = await client.company.completeOnboarding({ ...ONBOARDING, gst_percentage: typed });
    expect(profile?.gst_percentage).toBe(stored);
  });

  it.each([
    ['company_name', '', 'Company name is required'],
    ['phone', ' ', 'Phone is required'],
    ['gst_number', '', 'GST/VAT number is required'],
    ['gst_percentage', '', 'GST percentage is required'],
    ['gst_percentage', '101', 'GST percentage must be a number from 0 to 100'],
    ['gst_percentage', '-1', 'GST percentage must be a number from 0 to 100'],
    ['gst_percentage', '1e1', 'GST percentage must be a number from 0 to 100'],
    ['gst_percentage', '12.3456', 'Use at most 3 decimal places.'],
    ['paypal_email', '', 'PayPal email is required'],
    ['paypal_email', 'abc', 'Please enter a valid email address'],
    ['currency', 'CHF', 'Please choose a currency'],
  ])('rejects %s set to %j and completes nothing', async (field, value, message) => {
    const { client, cookie } = await createPerson(test);
    await client.company.start();
    const response = await test.request('POST', '/api/company/onboarding', { cookie, body: { ...ONBOARDING, [field]: value } });
    expect([response.statusCode, response.json()]).toMatchObject([422, { code: 'INVALID_INPUT', data: { fields: { [field]: message } } }]);
    expect((await client.company.me()).profile).toMatchObject({ onboarding_completed: false, company_name: null });
  });

  it('is idempotent, and different values from an outdated page overwrite nothing', async () => {
    const { client } = await createPerson(test);
    await client.company.start();
    const { profile } = await client.company.completeOnboarding(ONBOARDING);
    expect((await client.company.completeOnboarding({ ...ONBOARDING, gst_percentage: '15.0' })).profile).toEqual(profile);
    await expect(client.company.completeOnboarding({ ...ONBOARDING, company_name: 'From an old page' })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
      message: 'This company is already set up. You can change it in Settings.',
    });
    expect((await client.company.me()).profile).toEqual(profile);
  });

  it.each(ROLES.filter((role) => !hasCapability(role, 'company.edit')))('is forbidden for the %s', async (role) => {
    const { people } = await createFirm(test, 'Tane Plumbing');
    await expect(people[role].client.company.completeOnboarding({ ...ONBOARDING, company_name: 'Mine' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'You do not have permission to change the company settings',
    });
    expect((await people.admin.client.company.me()).profile).toMatchObject({ company_name: 'Tane Plumbing' });
  });

  it('ignores extra fields such as a role or a company', async () => {
    const { people, companyId } = await createFirm(test);
    const other = await createFirm(test, 'Other');
    const smuggled = { ...ONBOARDING, role: 'admin', company_id: other.companyId, version: 99, email: 'thief@example.com' };
    await test.request('POST', '/api/company/onboarding', { cookie: people.admin.cookie, body: smuggled });
    await test.request('PUT', '/api/me/menu-order', { cookie: people.staff.cookie, body: { menu_order: null, role: 'admin' } });
    expect((await people.staff.client.company.me()).profile).toMatchObject({ role: 'staff', company_id: companyId, email: null });
    expect((await other.people.admin.client.company.me()).profile).toMatchObject({ company_name: 'Other' });
  });
});

describe('the menu order', () => {
  it('is preserved after signing out and on a second device', async () => {
    const { email, password } = await signUp(test);
    const first = test.client(await signIn(test, email, password));
    const menu_order = ['quotes', 'dashboard', 'jobs'];
    expect(await first.company.saveMenuOrder({ menu_order })).toMatchObject({ menu_order });
    await first.auth.signOut();
    expect(await test.client(await signIn(test, email, password)).company.me()).toMatchObject({ menu_order });
  });

  it('is published only to the person’s own pages', async () => {
    const { people } = await createFirm(test);
    const [myStream, otherStream] = [await openEventStream(test, people.staff.cookie), await openEventStream(test, people.admin.cookie)];
    await people.staff.client.company.saveMenuOrder({ menu_order: ['quotes'] });
    expect(await myStream.next()).toEqual({ event: 'change', data: { topics: ['me'] } });
    await people.manager.client.categories.create({ id: randomUUID(), name: 'Drains' });
    expect(await otherStream.next()).toEqual({ event: 'change', data: { topics: ['categories'] } });
  });

  it('is separate for each person and can be reset', async () => {
    const { people } = await createFirm(test);
    await people.admin.client.company.saveMenuOrder({ menu_order: ['quotes'] });
    expect(await people.staff.client.company.me()).toMatchObject({ menu_order: null });
    expect(await people.admin.client.company.saveMenuOrder({ menu_order: null })).toMatchObject({ menu_order: null });
  });
});

it('dismisses the start card for only one person, on all their devices', async () => {
  const { people } = await createFirm(test);
  const stream = await openEventStream(test, people.admin.cookie);
  expect(await people.admin.client.company.dismissStartCard()).toMatchObject({ start_card_dismissed: true });
  expect(await people.admin.client.company.me()).toMatchObject({ start_card_dismissed: true });
  expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['me'] } });
  expect(await people.manager.client.company.me()).toMatchObject({ start_card_dismissed: false });
  const readUpdatedAt = async () => {
    const { rows } = await test.owner.query<{ updated_at: Date }>('select updated_at from users where id = $1', [people.admin.userId]);
    return rows[0]?.updated_at;
  };
  const before = await readUpdatedAt();
  await people.admin.client.company.dismissStartCard();
  expect(await readUpdatedAt()).toEqual(before);
});

it('marks a company as active while someone has one of its pages open', async () => {
  const { people, companyId } = await createFirm(test);
  const { system } = test.app.platform.pools;
  await system.query(`update companies set last_active = now() - interval '3 days' where company_id = $1`, [companyId]);
  await people.staff.client.notifications.list();
  const { rows } = await system.query(
    `select last_active > now() - interval '1 minute' as is_active from companies where company_id = $1`,
    [companyId],
  );
  expect(rows).toEqual([{ is_active: true }]);
});

describe('the system administrator', () => {
  it('is only the account whose email address is ADMIN_EMAIL, in any letter case', async () => {
    const operator = await createPerson(test, 'operator@example.com');
    await markEmailClaimed(test, operator);
    expect(await operator.client.company.me()).toMatchObject({ is_system_admin: true });
    const { people } = await createFirm(test);
    for (const role of ROLES) expect(await people[role].client.company.me()).toMatchObject({ is_system_admin: false });
  });
});
