import { randomUUID } from 'node:crypto';
import { notifyPeople } from '../src/features/notifications/notifications.sql.ts';
import { publicTokenOf } from '../src/platform/auth/public-links.sql.ts';
import { changeAs } from '../src/platform/db/tenant-scope.ts';
import { uniqueEmail } from './accounts.ts';
import type { Call } from './every-call.ts';
import { type FreshRecords, freshRecords } from './factories/fresh-records.ts';
import { newCustomer, newMember, newProfile } from './factories/inputs.ts';
import { createSession, type Firm, tenantOf } from './factories/people.ts';
import type { Input } from './input-fields.ts';
import { waitForQueue } from './queue.ts';
import type { TestApp } from './test-app.ts';

/** The records of one company that calls can be aimed at. */
export interface Records {
  readonly companyId: string;
  readonly customerId: string;
  readonly fileId: string;
  readonly categoryId: string;
  /** Invited, without a login. */
  readonly staffId: string;
  /** The admin's. */
  readonly notificationId: string;
  readonly mailId: string;
  readonly fresh: FreshRecords;
  /** The admin's, on another device than the current one. */
  readonly sessionId: string;
}

export async function createRecords(test: TestApp, firm: Firm): Promise<Records> {
  const customer = newCustomer();
  await firm.people.admin.client.customers.create(customer);
  const categoryId = randomUUID();
  await firm.people.admin.client.categories.create({ id: categoryId, name: 'Bathrooms' });
  const { member } = await firm.people.admin.client.staff.invite(newMember());
  // Recording the delivery status changes the member.
  await waitForQueue(test);
  const fileId = randomUUID();
  await test.app.platform.pools.system.query(
    'insert into files (company_id, id, file_name, file_size, file_type) values ($1, $2, $3, 1, $4)',
    [firm.companyId, fileId, 'leak.png', 'image/png'],
  );
  const { system, app } = test.app.platform.pools;
  await changeAs(app, tenantOf(firm), (scope) => publicTokenOf(scope, { kind: 'quote', id: fileId }));
  await changeAs(app, tenantOf(firm), (scope) =>
    notifyPeople(scope, [firm.people.admin.userId], { message: 'Quote accepted', type: 'success' }),
  );
  await firm.people.manager.client.notifications.clear({ id: randomUUID() });
  const notification = await system.query<{ id: string }>('select id from notifications where company_id = $1', [firm.companyId]);
  const mail = await system.query<{ id: string }>('select id from outbox_mails where company_id = $1', [firm.companyId]);
  const [notificationId = '', mailId = ''] = [notification.rows[0]?.id, mail.rows[0]?.id];
  const sessionId = await createSession(test, firm.people.admin.userId);
  const fresh = freshRecords(test, firm);
  return {
    companyId: firm.companyId,
    notificationId,
    mailId,
    sessionId,
    customerId: customer.id,
    fileId,
    categoryId,
    staffId: member.id,
    fresh,
  };
}

const { id: _, ...typed } = newCustomer();

/**
 * An input for each call, with which it succeeds: for the admin of these records, for the administrator when the call is theirs, for
 * anybody when it is public. The guards fail for a call that is missing here.
 */
const samples: Readonly<Record<string, (records: Records) => Input | Promise<Input>>> = {
  'auth.signUp': () => ({ email: uniqueEmail(), password: 'secret-1' }),
  'auth.signIn': ({ fresh }) => fresh.account(),
  'auth.signOut': () => ({}),
  'auth.requestPasswordReset': () => ({ email: 'new@example.com' }),
  'auth.resetPassword': async ({ fresh }) => ({ token: await fresh.passwordResetToken(), password: 'secret-2' }),
  'auth.changePassword': async ({ fresh }) => ({ current_password: await fresh.adminPassword(), new_password: 'secret-2' }),
  'auth.requestEmailChange': async ({ fresh }) => ({ email: uniqueEmail(), current_password: await fresh.adminPassword() }),
  'auth.requestEmailConfirmation': ({ fresh }) => fresh.unconfirmedEmail(),
  'auth.confirmEmailChange': async ({ fresh }) => ({ token: await fresh.emailChangeToken() }),
  'auth.undoEmailChange': async ({ fresh }) => ({ token: await fresh.undoEmailChangeToken(), password: 'secret-4' }),
  'auth.sessions': () => ({}),
  'auth.endSession': ({ sessionId }) => ({ id: sessionId }),
  'auth.endOtherSessions': () => ({}),
  'company.me': () => ({}),
  'company.saveMenuOrder': () => ({ menu_order: ['quotes', 'dashboard'] }),
  'company.dismissStartCard': () => ({}),
  'company.start': () => ({}),
  'company.completeOnboarding': async ({ fresh }) => ({ ...(await fresh.openOnboarding()), ...newProfile({ name: 'Mia Tane' }) }),
  'company.update': () => ({
    version: 1,
    company_name: 'Tane Plumbing',
    email: 'office@example.com',
    phone: '09 555 000',
    timezone: 'Pacific/Auckland',
    address: '1 Quay Street',
    gst_number: '123-456-789',
    gst_percentage: '15',
    default_hourly_rate: '95.50',
    currency: 'NZD',
    bank_name: 'Kiwi Bank',
    bank_account_number: '01-0001-0000001-00',
    paypal_email: 'pay@example.com',
    add_paypal_fees: true,
    paypal_fee_percentage: '2.9',
  }),
  'company.removeLogo': () => ({}),
  'staff.list': () => ({}),
  'staff.colors': () => ({}),
  'staff.get': ({ staffId }) => ({ id: staffId }),
  'staff.invite': () => ({ ...newMember() }),
  'staff.resendInvitation': ({ staffId }) => ({ id: staffId }),
  'staff.copyInvitationLink': ({ staffId }) => ({ id: staffId }),
  'staff.withdrawInvitation': ({ staffId }) => ({ id: staffId }),
  'staff.update': ({ staffId }) => ({ ...newMember({ id: staffId }), version: 1, color_id: '018f0000-0000-7000-8000-000000000002' }),
  'staff.removeAvatar': ({ staffId }) => ({ id: staffId }),
  'staff.remove': ({ staffId }) => ({ id: staffId }),
  'staff.myDetails': () => ({}),
  'staff.updateMyDetails': () => ({ version: 1, name: 'Mia Chen', phone: '021 555 111' }),
  'staff.removeMyAvatar': () => ({}),
  'staff.leave': ({ fresh }) => fresh.secondAdmin(),
  'staff.viewInvitation': async ({ fresh }) => ({ token: await fresh.invitationToken() }),
  'staff.acceptInvitation': async ({ fresh }) => ({ token: await fresh.invitationToken(), password: 'secret-3' }),
  'staff.myInvitations': () => ({}),
  'staff.joinCompany': ({ companyId }) => ({ company_id: companyId }),
  'categories.list': () => ({}),
  'categories.create': () => ({ id: randomUUID(), name: `Category ${randomUUID()}` }),
  'categories.update': ({ categoryId }) => ({ id: categoryId, version: 1, name: `Category ${randomUUID()}` }),
  'categories.remove': ({ categoryId }) => ({ id: categoryId }),
  'notifications.list': () => ({}),
  'notifications.markRead': ({ notificationId }) => ({ id: notificationId }),
  'notifications.markAllRead': () => ({}),
  'notifications.remove': ({ notificationId }) => ({ id: notificationId }),
  'notifications.clear': () => ({ id: randomUUID() }),
  'notifications.restore': () => ({ id: randomUUID() }),
  'customers.list': () => ({ search: 'ana', status: 'active', sort: 'name', order: 'asc' }),
  'customers.count': () => ({ search: 'ana', status: 'active' }),
  'customers.get': ({ customerId }) => ({ id: customerId }),
  'customers.duplicates': () => ({ phone: '021 555 123', email: 'ana@example.com' }),
  'customers.create': () => ({ ...newCustomer(), status: 'active' }),
  'customers.update': ({ customerId }) => ({ ...typed, id: customerId, version: 1, status: 'inactive' }),
  'customers.remove': ({ customerId }) => ({ id: customerId }),
  'admin.companies': () => ({}),
  'admin.removeCompany': async ({ companyId, fresh }) => ({ id: companyId, confirmation: await fresh.companyName() }),
  'admin.mails': () => ({ status: 'failed', search: 'invitation' }),
  'admin.sendMailAgain': ({ mailId }) => ({ id: mailId, attempts: 0 }),
  'admin.queue': () => ({}),
};

export async function sampleOf({ name }: Pick<Call, 'name'>, records: Records): Promise<Input> {
  const sample = samples[name];
  if (!sample) throw new Error(`Add a sample for ${name} to samples.ts`);
  return sample(records);
}
