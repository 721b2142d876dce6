import { randomUUID } from 'node:crypto';
import { notifyPeople } from '../src/features/notifications/notify-people.ts';
import { changeAs } from '../src/platform/db/tenant-scope.ts';
import { newCustomer } from './factories/customers.ts';
import { newProfile } from './factories/onboarding.ts';
import { type Firm, tenantOf } from './factories/people.ts';
import { newMember } from './factories/staff.ts';
import type { TestApp } from './test-app.ts';

/** The records of one company that calls can be aimed at. */
export interface Records {
  readonly companyId: string;
  readonly customerId: string;
  readonly fileId: string;
  readonly categoryId: string;
  /** Invited, without a login yet. */
  readonly staffId: string;
  /** Of the admin. */
  readonly notificationId: string;
  readonly mailId: string;
}

export async function createRecords(test: TestApp, firm: Firm): Promise<Records> {
  const customer = newCustomer();
  await firm.people.admin.client.customers.create(customer);
  const categoryId = randomUUID();
  await firm.people.admin.client.categories.create({ id: categoryId, name: 'Bathrooms' });
  const { member } = await firm.people.admin.client.staff.invite(newMember());
  const fileId = randomUUID();
  await test.app.platform.pools.system.query(
    'insert into files (company_id, id, file_name, file_size, file_type) values ($1, $2, $3, 1, $4)',
    [firm.companyId, fileId, 'leak.png', 'image/png'],
  );
  const { system, app } = test.app.platform.pools;
  await changeAs(app, tenantOf(firm), (scope) =>
    notifyPeople(scope, [firm.people.admin.userId], { message: 'Quote accepted', type: 'success' }),
  );
  const notification = await system.query<{ id: string }>('select id from notifications where company_id = $1', [firm.companyId]);
  const mail = await system.query<{ id: string }>('select id from outbox_mails where company_id = $1', [firm.companyId]);
  const [notificationId = '', mailId = ''] = [notification.rows[0]?.id, mail.rows[0]?.id];
  return { companyId: firm.companyId, notificationId, mailId, customerId: customer.id, fileId, categoryId, staffId: member.id };
}

const { id: _, ...typed } = newCustomer();

/** A valid input for each call that takes one. The guards fail for a call that is missing here. */
export const samples: Readonly<Record<string, (records: Records) => Record<string, unknown>>> = {
  'auth.signUp': () => ({ email: 'new@example.com', password: 'secret-1' }),
  'auth.signIn': () => ({ email: 'new@example.com', password: 'secret-1' }),
  'auth.signOut': () => ({}),
  'auth.requestPasswordReset': () => ({ email: 'new@example.com' }),
  'auth.resetPassword': () => ({ token: 'no-such-token', password: 'secret-2' }),
  'auth.changePassword': () => ({ current_password: 'secret-0', new_password: 'secret-2' }),
  'auth.requestEmailChange': () => ({ email: 'newer@example.com' }),
  'auth.requestEmailConfirmation': () => ({}),
  'auth.confirmEmailChange': () => ({ token: 'no-such-token' }),
  'company.me': () => ({}),
  'company.saveMenuOrder': () => ({ menu_order: ['quotes', 'dashboard'] }),
  'company.start': () => ({}),
  'company.completeOnboarding': () => newProfile({ name: 'Mia Tane' }),
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
  'staff.withdrawInvitation': ({ staffId }) => ({ id: staffId }),
  'staff.update': ({ staffId }) => ({ ...newMember({ id: staffId }), version: 1, color_id: '018f0000-0000-7000-8000-000000000002' }),
  'staff.removeAvatar': ({ staffId }) => ({ id: staffId }),
  'staff.remove': ({ staffId }) => ({ id: staffId }),
  'staff.viewInvitation': () => ({ token: 'no-such-token' }),
  'staff.acceptInvitation': () => ({ token: 'no-such-token', password: 'secret-3' }),
  'staff.myInvitations': () => ({}),
  'staff.resendMyInvitation': () => ({}),
  'staff.joinCompany': ({ companyId }) => ({ company_id: companyId }),
  'categories.list': () => ({}),
  'categories.create': () => ({ id: randomUUID(), name: `Category ${randomUUID()}` }),
  'categories.remove': ({ categoryId }) => ({ id: categoryId }),
  'notifications.list': () => ({}),
  'notifications.markRead': ({ notificationId }) => ({ id: notificationId }),
  'notifications.markAllRead': () => ({}),
  'notifications.remove': ({ notificationId }) => ({ id: notificationId }),
  'notifications.clear': () => ({}),
  'customers.list': () => ({ search: 'ana', status: 'active', sort: 'name', order: 'asc' }),
  'customers.count': () => ({ search: 'ana', status: 'active' }),
  'customers.get': ({ customerId }) => ({ id: customerId }),
  'customers.create': () => ({ ...newCustomer() }),
  'customers.update': ({ customerId }) => ({ ...typed, id: customerId, version: 1, status: 'inactive' }),
  'customers.remove': ({ customerId }) => ({ id: customerId }),
  'admin.companies': () => ({}),
  'admin.removeCompany': ({ companyId }) => ({ id: companyId, confirmation: 'Not its name' }),
  'admin.mails': () => ({ status: 'failed' }),
  'admin.sendMailAgain': ({ mailId }) => ({ id: mailId, attempts: 0 }),
  'admin.queue': () => ({}),
};
