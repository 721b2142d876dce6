import { randomUUID } from 'node:crypto';
import { notifyPeople } from '../src/features/notifications/notifications.sql.ts';
import { runTenantTransaction } from '../src/platform/db/tenant-scope.ts';
import { buildTestEmail } from './accounts.ts';
import type { ContractCall } from './contract-calls.ts';
import { acceptAsMember } from './factories/accept-quote.ts';
import { createBilledJobWithPayment } from './factories/billed-job.ts';
import { type CallSetup, createCallSetup } from './factories/call-setup.ts';
import {
  buildCustomer,
  buildItem,
  buildJob,
  buildMember,
  buildProfile,
  buildQuote,
  buildQuoteLine,
  buildQuoteSection,
  buildSupplier,
  buildTask,
  type NewJobInput,
} from './factories/inputs.ts';
import { createSession, type Firm, toTenant } from './factories/people.ts';
import type { CallInput } from './input-fields.ts';
import { waitForQueue } from './queue.ts';
import { buildPng } from './sample-files.ts';
import { buildSampleLines, jobLineSamples } from './sample-job-lines.ts';
import type { TestApp } from './test-app.ts';
import { uploadFile } from './upload.ts';

/** The ids of one company's records: one of each type that a call can refer to. */
export interface SampleRecords {
  readonly companyId: string;
  readonly customerId: string;
  readonly fileId: string;
  readonly categoryId: string;
  /** A staff member who was invited but has no login yet. */
  readonly staffId: string;
  readonly notificationId: string;
  readonly mailId: string;
  readonly setup: CallSetup;
  readonly supplierId: string;
  readonly itemId: string;
  /** A booked job with one line and an hour of time tracked by the admin. */
  readonly jobId: string;
  readonly lineId: string;
  readonly typedLineId: string;
  readonly entryId: string;
  readonly taskId: string;
  readonly commentId: string;
  readonly attachmentId: string;
  /** A draft quote with a required and an optional section, each with one item from the price list. */
  readonly quoteId: string;
  readonly quoteMailId: string;
  readonly templateId: string;
  /** A complete job with an open invoice of 115.00, of which 15.00 is paid. */
  readonly billedJobId: string;
  readonly invoiceId: string;
  readonly paymentId: string;
  readonly invoiceMailId: string;
  /** A session in which the admin is signed in on another device. */
  readonly sessionId: string;
}

export async function createSampleRecords(test: TestApp, firm: Firm): Promise<SampleRecords> {
  const customer = await firm.people.admin.client.customers.create(buildCustomer());
  const categoryId = randomUUID();
  await firm.people.admin.client.categories.create({ id: categoryId, name: 'Bathrooms' });
  const { member } = await firm.people.admin.client.staff.invite(buildMember());
  // Wait until the invitation is delivered. Otherwise, its delivery status could change during a test.
  await waitForQueue(test);
  const setup = createCallSetup(test, firm);
  const fileId = await setup.createFile();
  const { system, app } = test.app.platform.pools;
  const work = await createWork(test, firm, { customer_id: customer.id, category_ids: [categoryId] });
  await runTenantTransaction(app, toTenant(firm), (scope) =>
    notifyPeople(scope, [firm.people.admin.userId], { message: 'Quote accepted', type: 'success' }),
  );
  await firm.people.manager.client.notifications.clear({ id: randomUUID() });
  const notification = await system.query<{ id: string }>('select id from notifications where company_id = $1', [firm.companyId]);
  const mail = await system.query<{ id: string }>('select id from outbox_mails where company_id = $1', [firm.companyId]);
  const [notificationId = '', mailId = ''] = [notification.rows[0]?.id, mail.rows[0]?.id];
  await test.owner.query('insert into ended_memberships (company_id, session_hash) values ($1, $2)', [firm.companyId, randomUUID()]);
  return {
    companyId: firm.companyId,
    notificationId,
    mailId,
    sessionId: await createSession(test, firm.people.admin.userId),
    customerId: customer.id,
    fileId,
    categoryId,
    staffId: member.id,
    ...work,
    ...(await createComment(test, firm, work.jobId)),
    ...(await createQuote(firm, customer.id, work.itemId)),
    ...(await createBilledJobWithPayment(test, firm, customer.id)),
    setup,
  };
}

/** Creates a price list, a task, and a job that has a line and a time entry. */
async function createWork({ app }: TestApp, { companyId, people }: Firm, jobFields: Pick<NewJobInput, 'customer_id' | 'category_ids'>) {
  const { suppliers, items, jobs, timer, tasks } = people.admin.client;
  const { id: supplierId } = await suppliers.create(buildSupplier());
  const { id: itemId } = await items.create(buildItem({ supplier_id: supplierId }));
  const { rows } = await app.platform.pools.system.query<{ id: string }>('select id from staff_members where profile_id = $1', [
    people.admin.userId,
  ]);
  const { id: jobId } = await jobs.create(buildJob({ ...jobFields, job_type: 'hourly', staff_id: rows[0]?.id ?? '' }));
  const [lineId, typedLineId, entryId] = [randomUUID(), randomUUID(), randomUUID()];
  await jobs.addItems({ job_id: jobId, lines: buildSampleLines({ lineId, typedLineId, itemId }) });
  await timer.start({ job_id: jobId, id: entryId });
  await timer.pause({ job_id: jobId });
  await app.platform.pools.system.query(
    `update time_entries set started_at = started_at - interval '1 hour' where company_id = $1 and id = $2`,
    [companyId, entryId],
  );
  const { id: taskId } = await tasks.create(buildTask({ show_in_calendar: true, staff_id: rows[0]?.id ?? null }));
  return { supplierId, itemId, jobId, lineId, typedLineId, entryId, taskId };
}

async function createComment(test: TestApp, { people }: Firm, jobId: string) {
  const [commentId, attachmentId] = [randomUUID(), randomUUID()];
  await uploadFile(test, `/api/files/${attachmentId}`, people.admin.cookie, 'leak.png', buildPng());
  await people.admin.client.comments.add({ id: commentId, job_id: jobId, content: 'See the picture', file_ids: [attachmentId] });
  return { commentId, attachmentId };
}

async function createQuote({ people }: Firm, customerId: string, itemId: string) {
  const { quotes, sectionTemplates } = people.admin.client;
  const { id: quoteId } = await quotes.create(buildQuote({ customer_id: customerId, sections: buildSections(itemId) }));
  const quoteMailId = randomUUID();
  await quotes.send({ id: quoteId, mail_id: quoteMailId, subject: 'Your quote', body: 'Hi Ana' });
  const accepted = await quotes.create(buildQuote({ customer_id: customerId }));
  await acceptAsMember({ quotes }, { id: accepted.id });
  const { id: templateId } = await sectionTemplates.save(buildQuoteSection({ name: `Template ${randomUUID()}` }));
  return { quoteId, quoteMailId, templateId };
}

const buildSections = (itemId: string) => [
  buildQuoteSection({ always_required: true, items: [buildQuoteLine({ supplier_item_id: itemId })] }),
  buildQuoteSection({ name: 'Towel rail', items: [buildQuoteLine({ supplier_item_id: itemId, quantity: '2.5' })] }),
];

const buildBooking = (staffId: string) => ({ starts_at: '2026-11-20T21:00:00.000Z', duration: '2', staff_id: staffId });
const { id: _, ...customerFields } = buildCustomer();

/** For each call, builds an input with which an authorized caller succeeds. The tests fail for a call that isn't listed. */
const SAMPLE_INPUTS: Readonly<Record<string, (records: SampleRecords) => CallInput | Promise<CallInput>>> = {
  'auth.signUp': () => ({ email: buildTestEmail(), password: 'secret-1' }),
  'auth.signIn': ({ setup }) => setup.createAccount(),
  'auth.signOut': () => ({}),
  'auth.requestPasswordReset': () => ({ email: 'new@example.com' }),
  'auth.viewResetLink': async ({ setup }) => ({ token: await setup.createPasswordResetToken() }),
  'auth.resetPassword': async ({ setup }) => ({ token: await setup.createPasswordResetToken(), password: 'secret-2' }),
  'auth.changePassword': async ({ setup }) => ({ current_password: await setup.resetAdminPassword(), new_password: 'secret-2' }),
  'auth.requestEmailChange': async ({ setup }) => ({ email: buildTestEmail(), current_password: await setup.resetAdminPassword() }),
  'auth.requestEmailConfirmation': ({ setup }) => setup.unconfirmAdminEmail(),
  'auth.confirmEmailChange': async ({ setup }) => ({ token: await setup.createEmailChangeToken() }),
  'auth.undoEmailChange': async ({ setup }) => ({ token: await setup.createEmailUndoToken(), password: 'secret-4' }),
  'auth.sessions': () => ({}),
  'auth.endSession': ({ sessionId }) => ({ id: sessionId }),
  'auth.endOtherSessions': () => ({}),
  'company.me': () => ({}),
  'company.saveMenuOrder': () => ({ menu_order: ['quotes', 'dashboard'] }),
  'company.dismissStartCard': () => ({}),
  'company.start': () => ({}),
  'company.completeOnboarding': async ({ setup }) => ({
    ...(await setup.reopenOnboarding()),
    ...buildProfile({ name: 'Mia Tane' }),
  }),
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
    quote_reminder_days: '7',
    payment_terms_days: '14',
    invoice_reminder_days: '3',
    invoice_reminder_subject: 'Your invoice',
    invoice_reminder_body: 'A friendly reminder.',
  }),
  'company.removeLogo': () => ({}),
  'company.requestDeletion': async ({ setup }) => ({ confirmation: await setup.readCompanyName() }),
  'company.cancelDeletion': () => ({}),
  'staff.list': () => ({}),
  'staff.names': () => ({}),
  'staff.colors': () => ({}),
  'staff.get': ({ staffId }) => ({ id: staffId }),
  'staff.invite': () => ({ ...buildMember() }),
  'staff.resendInvitation': ({ staffId }) => ({ id: staffId }),
  'staff.copyInvitationLink': ({ staffId }) => ({ id: staffId }),
  'staff.withdrawInvitation': ({ staffId }) => ({ id: staffId }),
  'staff.update': ({ staffId }) => ({ ...buildMember({ id: staffId }), version: 1, color_id: '018f0000-0000-7000-8000-000000000002' }),
  'staff.removeAvatar': ({ staffId }) => ({ id: staffId }),
  'staff.remove': ({ staffId }) => ({ id: staffId }),
  'staff.myDetails': () => ({}),
  'staff.updateMyDetails': () => ({ version: 1, name: 'Mia Chen', phone: '021 555 111' }),
  'staff.removeMyAvatar': () => ({}),
  'staff.leave': ({ setup }) => setup.addSecondAdmin(),
  'staff.viewInvitation': async ({ setup }) => ({ token: await setup.createInvitationToken() }),
  'staff.acceptInvitation': async ({ setup }) => ({ token: await setup.createInvitationToken(), password: 'secret-3' }),
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
  'customers.create': () => ({ ...buildCustomer(), status: 'active' }),
  'customers.update': ({ customerId }) => ({ ...customerFields, id: customerId, version: 1, status: 'inactive' }),
  'customers.remove': ({ customerId }) => ({ id: customerId }),
  'suppliers.list': () => ({ search: 'reece' }),
  'suppliers.get': ({ supplierId }) => ({ id: supplierId }),
  'suppliers.create': () => buildSupplier({ email: 'sales@reece.example', phone: '09 300', city: 'Auckland' }),
  'suppliers.update': ({ supplierId }) => ({ ...buildSupplier({ id: supplierId }), version: 1, status: 'inactive' }),
  'suppliers.remove': ({ supplierId }) => ({ id: supplierId }),
  'items.list': ({ supplierId }) => ({ supplier_id: supplierId, search: 'tap', sort: 'cost_price', order: 'desc' }),
  'items.search': () => ({ search: 'tap' }),
  'items.get': ({ itemId }) => ({ id: itemId }),
  'items.create': ({ supplierId }) => buildItem({ supplier_id: supplierId, description: 'Chrome' }),
  'items.update': ({ supplierId, itemId }) => {
    const { supplier_id: __, ...fields } = buildItem({ supplier_id: supplierId, id: itemId });
    return { ...fields, version: 1 };
  },
  'items.remove': ({ itemId }) => ({ id: itemId }),
  'jobs.list': () => ({ search: 'tap', status: 'booked', sort: 'customer', order: 'asc' }),
  'jobs.find': () => ({ search: 'tap' }),
  'jobs.count': () => ({ search: 'tap', status: 'booked' }),
  'jobs.get': ({ jobId }) => ({ id: jobId }),
  'jobs.create': ({ customerId, staffId, categoryId }) =>
    buildJob({ customer_id: customerId, staff_id: staffId, category_ids: [categoryId] }),
  'jobs.update': ({ jobId, customerId, staffId, categoryId }) => {
    const { customer_id: __, ...fields } = buildJob({ id: jobId, customer_id: customerId, staff_id: staffId, category_ids: [categoryId] });
    return { ...fields, version: 1, status: 'complete' };
  },
  'jobs.setStatus': ({ jobId }) => ({ id: jobId, status: 'complete' }),
  'jobs.remove': ({ jobId }) => ({ id: jobId }),
  ...jobLineSamples,
  'timer.active': () => ({}),
  'timer.start': ({ jobId }) => ({ job_id: jobId, id: randomUUID(), pause_others: true }),
  'timer.pause': ({ jobId }) => ({ job_id: jobId }),
  'timer.correct': ({ entryId }) => ({ id: entryId, version: 2, ended_at: new Date(Date.now() - 30 * 60_000).toISOString() }),
  'timer.add': ({ jobId, setup }) => ({ job_id: jobId, id: randomUUID(), ...setup.getPastHour() }),
  'timer.allocate': ({ jobId, itemId }) => ({ job_id: jobId, id: randomUUID(), supplier_item_id: itemId, quantity: 1 }),
  'timer.sheet': () => ({ week: '2026-11-16' }),
  'board.get': ({ staffId, categoryId }) => ({ staff_id: staffId, category_id: categoryId, search: 'tap' }),
  'tasks.list': ({ staffId }) => ({ status: 'active', staff_id: staffId }),
  'tasks.count': () => ({ status: 'active' }),
  'tasks.get': ({ taskId }) => ({ id: taskId }),
  'tasks.create': ({ staffId }) => buildTask({ staff_id: staffId, show_in_calendar: true }),
  'tasks.update': ({ taskId, staffId }) => ({ ...buildTask({ id: taskId, staff_id: staffId }), version: 1 }),
  'tasks.setStatus': ({ taskId }) => ({ id: taskId, status: 'completed' }),
  'tasks.remove': ({ taskId }) => ({ id: taskId }),
  'calendar.events': ({ staffId }) => ({
    from: '2026-11-16T11:00:00.000Z',
    to: '2026-11-23T11:00:00.000Z',
    status: 'booked',
    staff_id: staffId,
  }),
  'calendar.unscheduled': () => ({}),
  'calendar.clashes': ({ staffId, jobId }) => ({ ...buildBooking(staffId), except_id: jobId }),
  'calendar.scheduleJob': async ({ jobId, staffId, setup }) => ({
    id: jobId,
    ...buildBooking(staffId),
    seen: await setup.readJobBooking(jobId),
  }),
  'calendar.scheduleTask': async ({ taskId, staffId, setup }) => ({
    id: taskId,
    ...buildBooking(staffId),
    seen: await setup.readTaskBooking(taskId),
  }),
  'calendar.feed': () => ({}),
  'calendar.openFeed': () => ({}),
  'calendar.closeFeed': () => ({}),
  'calendar.staffFeed': ({ staffId }) => ({ id: staffId }),
  'calendar.closeStaffFeed': ({ staffId }) => ({ id: staffId }),
  'dashboard.counts': () => ({}),
  'dashboard.categories': () => ({ created_from: '2026-11-01T00:00:00.000Z', created_to: '2026-11-30T00:00:00.000Z' }),
  'dashboard.recentJobs': () => ({ created_from: '2026-11-01T00:00:00.000Z', created_to: '2026-11-30T00:00:00.000Z', order: 'asc' }),
  'dashboard.money': () => ({}),
  'comments.list': ({ jobId }) => ({ job_id: jobId }),
  'comments.add': async ({ jobId, setup }) => ({ id: randomUUID(), job_id: jobId, content: 'Leaks', file_ids: [await setup.createFile()] }),
  'comments.update': ({ commentId }) => ({ id: commentId, version: 1, content: 'The valve leaked' }),
  'comments.remove': ({ commentId }) => ({ id: commentId }),
  'comments.ofCustomer': ({ customerId }) => ({ id: customerId }),
  'comments.history': ({ jobId }) => ({ id: jobId }),
  'quotes.list': () => ({ search: 'bath', status: 'draft', sort: 'total_amount', order: 'desc' }),
  'quotes.count': () => ({ search: 'bath', status: 'expired' }),
  'quotes.find': () => ({ search: 'bath' }),
  'quotes.get': ({ quoteId }) => ({ id: quoteId }),
  'quotes.history': ({ quoteId }) => ({ id: quoteId }),
  'quotes.create': async ({ customerId, itemId, setup }) =>
    buildQuote({
      customer_id: customerId,
      deposit_percentage: '30',
      sections: buildSections(itemId),
      attachment_ids: [await setup.createFile()],
    }),
  'quotes.update': async ({ quoteId, customerId, itemId, setup }) => {
    const { customer_id: __, ...fields } = buildQuote({
      id: quoteId,
      customer_id: customerId,
      description: 'With a shower',
      valid_until: '2027-01-31',
      deposit_amount: '250.00',
      sections: buildSections(itemId),
      attachment_ids: [await setup.createFile()],
    });
    return { ...fields, version: 1 };
  },
  'quotes.duplicate': ({ quoteId }) => ({ id: quoteId, new_id: randomUUID() }),
  'quotes.remove': ({ quoteId }) => ({ id: quoteId }),
  'quotes.accept': async ({ quoteId, setup }) => {
    const selected_option_ids = await setup.reopenQuote(quoteId);
    return { id: quoteId, selected_option_ids, version: (await setup.readQuoteOffer(quoteId)).version };
  },
  'quotes.setStatus': ({ quoteId }) => ({ id: quoteId, status: 'sent' }),
  'quotes.send': async ({ quoteId, setup }) => {
    await setup.reopenQuote(quoteId);
    return { id: quoteId, mail_id: randomUUID(), subject: 'Your quote', body: 'Hi Ana,\n\nHere is your quote.' };
  },
  'quotes.retryMail': ({ quoteMailId }) => ({ id: quoteMailId }),
  'publicQuotes.get': async ({ quoteId, setup }) => ({ token: await setup.readQuoteToken(quoteId) }),
  'publicQuotes.recordOpening': async ({ quoteId, setup }) => ({ token: await setup.readQuoteToken(quoteId) }),
  'publicQuotes.accept': async ({ quoteId, setup }) => {
    const selected_option_ids = await setup.reopenQuote(quoteId);
    const { content_hash } = await setup.readQuoteOffer(quoteId);
    return { token: await setup.readQuoteToken(quoteId), selected_option_ids, accepted_by: 'Helen Faleolo', content_hash };
  },
  'publicQuotes.reject': async ({ quoteId, setup }) => ({ token: await setup.readQuoteToken(quoteId) }),
  'sectionTemplates.list': () => ({}),
  'sectionTemplates.save': ({ itemId }) =>
    buildQuoteSection({ name: `Template ${randomUUID()}`, items: [buildQuoteLine({ supplier_item_id: itemId })] }),
  'sectionTemplates.remove': ({ templateId }) => ({ id: templateId }),
  'invoices.billing': ({ billedJobId }) => ({ id: billedJobId }),
  'invoices.send': ({ billedJobId }) => ({ id: billedJobId, mail_id: randomUUID(), by_hand: true }),
  'invoices.handOver': ({ invoiceId }) => ({ id: invoiceId }),
  'invoices.list': ({ customerId }) => ({
    search: 'tap',
    filter: 'overdue',
    age: 'days_30',
    from: '2026-10-01',
    to: '2026-11-16',
    customer_id: customerId,
    sort: 'total_amount',
    order: 'desc',
  }),
  'invoices.count': () => ({ search: 'tap', filter: 'unpaid', from: '2026-10-01' }),
  'invoices.summary': () => ({ search: 'tap', filter: 'paid', to: '2026-11-16' }),
  'invoices.debtors': () => ({}),
  'invoices.credit': ({ invoiceId }) => ({ id: invoiceId, credit_id: randomUUID(), reason: 'Wrong price' }),
  'invoices.retryMail': ({ invoiceMailId }) => ({ id: invoiceMailId }),
  'publicInvoices.get': async ({ billedJobId, setup }) => ({ token: await setup.readInvoiceToken(billedJobId) }),
  'publicInvoices.recordOpening': async ({ billedJobId, setup }) => ({ token: await setup.readInvoiceToken(billedJobId) }),
  'payments.record': ({ billedJobId }) => ({
    id: randomUUID(),
    job_id: billedJobId,
    amount: '10.00',
    paid_on: '2026-11-02',
    method: 'cash',
    note: 'At the door',
  }),
  'payments.reverse': ({ paymentId }) => ({ id: paymentId, reversal_id: randomUUID(), note: 'Bounced' }),
  'admin.companies': () => ({}),
  'admin.removeCompany': async ({ companyId, setup }) => ({ id: companyId, confirmation: await setup.readCompanyName() }),
  'admin.mails': () => ({ status: 'failed', search: 'invitation' }),
  'admin.sendMailAgain': ({ mailId }) => ({ id: mailId, attempts: 0 }),
  'admin.queue': () => ({}),
};

export async function buildSampleInput({ name }: Pick<ContractCall, 'name'>, records: SampleRecords): Promise<CallInput> {
  const buildInput = SAMPLE_INPUTS[name];
  if (!buildInput) throw new Error(`Add a sample input for ${name} to sample-inputs.ts`);
  return buildInput(records);
}
