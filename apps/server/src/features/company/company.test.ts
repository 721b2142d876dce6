import { randomUUID } from 'node:crypto';
import { can, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { signIn, signUp } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { claim } from '../../../test/factories/administrator.ts';
import { newProfile } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ ADMIN_EMAIL: 'Operator@example.com' });
});

const ONBOARDING = newProfile();

async function rowsOf(table: 'companies' | 'staff_members', userId: string) {
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
      user: { id: userId, email, name: email.split('@')[0], staff_id: null, avatar_url: null, pending_email: null },
      profile: null,
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
    expect(await rowsOf('staff_members', userId)).toMatchObject([{ profile_id: userId, email, role: 'admin' }]);
    expect((await client.company.me()).profile).toEqual(profile);
  });

  it('starts one company, also when they ask several times at once', async () => {
    const { client, userId } = await createPerson(test);
    const started = await Promise.all([1, 2, 3, 4].map(() => client.company.start()));
    expect(new Set(started.map(({ profile }) => profile?.company_id)).size).toBe(1);
    expect((await client.company.start()).profile).toEqual(started[0]?.profile);
    expect(await rowsOf('companies', userId)).toHaveLength(1);
    const { rows } = await test.app.platform.pools.system.query('select 1 from companies where email = $1', [started[0]?.user.email]);
    expect(rows).toHaveLength(1);
  });

  it('creates their company and completes its profile in one call, as its admin', async () => {
    const { client, userId, email } = await createPerson(test);
    const { profile, user } = await client.company.completeOnboarding(ONBOARDING);
    expect(profile).toMatchObject({ ...ONBOARDING, id: userId, role: 'admin', email, onboarding_completed: true });
    expect(user.staff_id).toBe((await client.company.me()).user.staff_id);
    expect(await rowsOf('staff_members', userId)).toMatchObject([{ profile_id: userId, email, role: 'admin' }]);
  });

  it('makes one company, also when they submit several times at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { client, email, userId } = await createPerson(test);
      const made = await Promise.all([1, 2, 3, 4].map(() => client.company.completeOnboarding(ONBOARDING)));
      expect(new Set(made.map(({ profile }) => profile?.company_id)).size).toBe(1);
      expect((await client.company.completeOnboarding(ONBOARDING)).profile).toEqual(made[0]?.profile);
      expect(await rowsOf('companies', userId)).toMatchObject([{ company_name: 'Tane Plumbing', onboarding_completed: true }]);
      const { rows } = await test.app.platform.pools.system.query('select 1 from companies where email = $1', [email]);
      expect(rows).toHaveLength(1);
    }
  });

  it('who submits two different profiles at once keeps one, and the other is refused', async () => {
    const { client, userId } = await createPerson(test);
    const names = ['One', 'Two'];
    const outcomes = await Promise.allSettled(
      names.map((company_name) => client.company.completeOnboarding({ ...ONBOARDING, company_name })),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'ALREADY_DONE' } }]);
    const kept = names[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect(await rowsOf('companies', userId)).toMatchObject([{ company_name: kept }]);
  });

  it('has no company after an invalid profile', async () => {
    const { client, email, cookie } = await createPerson(test);
    const answer = await test.request('POST', '/api/company/onboarding', { cookie, body: { ...ONBOARDING, phone: '' } });
    expect(answer.statusCode).toBe(422);
    expect((await client.company.me()).profile).toBeNull();
    expect((await test.app.platform.pools.system.query('select 1 from companies where email = $1', [email])).rows).toEqual([]);
  });
});

describe('onboarding', () => {
  it.each([
    ['is called what they typed', 'Mia Tane', 'Mia Tane'],
    ['without a name goes by the part of their email before the @', '', undefined],
  ])('of a new owner: they %s', async (_, name, called) => {
    const [fresh, started] = [await createPerson(test), await createPerson(test)];
    await started.client.company.start();
    for (const { client, email } of [fresh, started]) {
      const { user } = await client.company.completeOnboarding({ ...ONBOARDING, name });
      expect(user.name).toBe(called ?? email.split('@')[0]);
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
  ])('keeps a GST percentage of %s exactly', async (typed, kept) => {
    const { client } = await createPerson(test);
    await client.company.start();
    const { profile } = await client.company.completeOnboarding({ ...ONBOARDING, gst_percentage: typed });
    expect(profile?.gst_percentage).toBe(kept);
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
  ])('with %s as %j reports what is wrong and completes nothing', async (field, value, message) => {
    const { client, cookie } = await createPerson(test);
    await client.company.start();
    const answer = await test.request('POST', '/api/company/onboarding', { cookie, body: { ...ONBOARDING, [field]: value } });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { code: 'INVALID_INPUT', data: { fields: { [field]: message } } }]);
    expect((await client.company.me()).profile).toMatchObject({ onboarding_completed: false, company_name: null });
  });

  it('sent again changes nothing, and with other values overwrites nothing that was set since', async () => {
    const { client } = await createPerson(test);
    await client.company.start();
    const { profile } = await client.company.completeOnboarding(ONBOARDING);
    expect((await client.company.completeOnboarding({ ...ONBOARDING, gst_percentage: '15.0' })).profile).toEqual(profile);
    await expect(client.company.completeOnboarding({ ...ONBOARDING, company_name: 'From an old page' })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
      message: 'This company is set up already. You can change it in Settings.',
    });
    expect((await client.company.me()).profile).toEqual(profile);
  });

  it.each(ROLES.filter((role) => !can(role, 'company.edit')))('is refused to the %s', async (role) => {
    const { people } = await createFirm(test, 'Tane Plumbing');
    await expect(people[role].client.company.completeOnboarding({ ...ONBOARDING, company_name: 'Mine' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'You do not have permission to change the company settings',
    });
    expect((await people.admin.client.company.me()).profile).toMatchObject({ company_name: 'Tane Plumbing' });
  });

  it('changes nobody’s role or company, whatever extra fields are sent', async () => {
    const { people, companyId } = await createFirm(test);
    const other = await createFirm(test, 'Other');
    const smuggled = { ...ONBOARDING, role: 'admin', company_id: other.companyId, version: 99, email: 'thief@example.com' };
    await test.request('POST', '/api/company/onboarding', { cookie: people.admin.cookie, body: smuggled });
    await test.request('PUT', '/api/me/menu-order', { cookie: people.staff.cookie, body: { menu_order: null, role: 'admin' } });
    expect((await people.staff.client.company.me()).profile).toMatchObject({ role: 'staff', company_id: companyId, email: null });
    expect((await other.people.admin.client.company.me()).profile).toMatchObject({ company_name: 'Other' });
  });
});

describe('the order of the menu', () => {
  it('is kept after signing out, and on a second device', async () => {
    const { email, password } = await signUp(test);
    const first = test.client(await signIn(test, email, password));
    const menu_order = ['quotes', 'dashboard', 'jobs'];
    expect(await first.company.saveMenuOrder({ menu_order })).toMatchObject({ menu_order });
    await first.auth.signOut();
    expect(await test.client(await signIn(test, email, password)).company.me()).toMatchObject({ menu_order });
  });

  it('is published to the person’s other pages, and to nobody else’s', async () => {
    const { people } = await createFirm(test);
    const [own, other] = [await openStream(test, people.staff.cookie), await openStream(test, people.admin.cookie)];
    await people.staff.client.company.saveMenuOrder({ menu_order: ['quotes'] });
    expect(await own.next()).toEqual({ event: 'change', data: { topics: ['me'] } });
    await people.manager.client.categories.create({ id: randomUUID(), name: 'Drains' });
    expect(await other.next()).toEqual({ event: 'change', data: { topics: ['categories'] } });
  });

  it('is each person’s own, and can be reset', async () => {
    const { people } = await createFirm(test);
    await people.admin.client.company.saveMenuOrder({ menu_order: ['quotes'] });
    expect(await people.staff.client.company.me()).toMatchObject({ menu_order: null });
    expect(await people.admin.client.company.saveMenuOrder({ menu_order: null })).toMatchObject({ menu_order: null });
  });
});

it('the start card is dismissed by each person for themselves, also on their other devices', async () => {
  const { people } = await createFirm(test);
  const stream = await openStream(test, people.admin.cookie);
  expect(await people.admin.client.company.dismissStartCard()).toMatchObject({ start_card_dismissed: true });
  expect(await people.admin.client.company.me()).toMatchObject({ start_card_dismissed: true });
  expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['me'] } });
  expect(await people.manager.client.company.me()).toMatchObject({ start_card_dismissed: false });
  const changedAt = async () => {
    const { rows } = await test.owner.query<{ updated_at: Date }>('select updated_at from users where id = $1', [people.admin.userId]);
    return rows[0]?.updated_at;
  };
  const before = await changedAt();
  await people.admin.client.company.dismissStartCard();
  expect(await changedAt()).toEqual(before);
});

it('a company is active while somebody has a page of it open', async () => {
  const { people, companyId } = await createFirm(test);
  const { system } = test.app.platform.pools;
  await system.query(`update companies set last_active = now() - interval '3 days' where company_id = $1`, [companyId]);
  await people.staff.client.notifications.list();
  const { rows } = await system.query(`select last_active > now() - interval '1 minute' as fresh from companies where company_id = $1`, [
    companyId,
  ]);
  expect(rows).toEqual([{ fresh: true }]);
});

describe('the administrator', () => {
  it('is only the account named by ADMIN_EMAIL, in any letter case', async () => {
    const operator = await createPerson(test, 'operator@example.com');
    await claim(test, operator);
    expect(await operator.client.company.me()).toMatchObject({ is_system_admin: true });
    const { people } = await createFirm(test);
    for (const role of ROLES) expect(await people[role].client.company.me()).toMatchObject({ is_system_admin: false });
  });
});
