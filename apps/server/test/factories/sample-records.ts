import { randomUUID } from 'node:crypto';
import { notifyPeople } from '../../src/features/notifications/notifications.sql.ts';
import { runTenantTransaction } from '../../src/platform/db/tenant-scope.ts';
import { waitForQueue } from '../queue.ts';
import { buildPng } from '../sample-files.ts';
import { buildSampleLines } from '../sample-job-lines.ts';
import type { TestApp } from '../test-app.ts';
import { uploadFile } from '../upload.ts';
import { acceptAsMember } from './accept-quote.ts';
import { createBilledJobWithPayment } from './billed-job.ts';
import { type CallSetup, createCallSetup } from './call-setup.ts';
import {
  buildCustomer,
  buildItem,
  buildJob,
  buildMember,
  buildQuote,
  buildQuoteLine,
  buildQuoteSection,
  buildSupplier,
  buildTask,
  type NewJobInput,
} from './inputs.ts';
import { createSession, type Firm, toTenant } from './people.ts';

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
  /** The admin's saved view of the jobs list. */
  readonly viewId: string;
  readonly lineId: string;
  readonly typedLineId: string;
  readonly entryId: string;
  /** Time that was added by hand. */
  readonly addedEntryId: string;
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
  const manager = test.client(firm.people.manager.cookie, { 'idempotency-key': randomUUID() });
  await manager.notifications.clear({ id: randomUUID() });
  const notification = await system.query<{ id: string }>('select id from notifications where company_id = $1', [firm.companyId]);
  const mail = await system.query<{ id: string }>('select id from outbox_mails where company_id = $1', [firm.companyId]);
  const [notificationId = '', mailId = ''] = [notification.rows[0]?.id, mail.rows[0]?.id];
  await test.owner.query('insert into ended_memberships (company_id, session_hash) values ($1, $2)', [firm.companyId, randomUUID()]);
  // The queue stores totals only once an hour.
  await system.query(`insert into record_counts (company_id, kind, of_id, total) values ($1, 'active customers', $1, 0)`, [firm.companyId]);
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
  const { suppliers, items, jobs, jobViews, timer, tasks } = people.admin.client;
  const { id: supplierId } = await suppliers.create(buildSupplier());
  const { id: itemId } = await items.create(buildItem({ supplier_id: supplierId }));
  const { rows } = await app.platform.pools.system.query<{ id: string }>('select id from staff_members where profile_id = $1', [
    people.admin.userId,
  ]);
  const { id: jobId } = await jobs.create(buildJob({ ...jobFields, job_type: 'hourly', staff_id: rows[0]?.id ?? '' }));
  const [lineId, typedLineId, entryId, addedEntryId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await jobs.addItems({ job_id: jobId, lines: buildSampleLines({ lineId, typedLineId, itemId }) });
  await timer.start({ job_id: jobId, id: entryId });
  await timer.pause({ job_id: jobId });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  await timer.add({ id: addedEntryId, job_id: jobId, started_at: hoursAgo(50), ended_at: hoursAgo(49) });
  await app.platform.pools.system.query(
    `update time_entries set started_at = started_at - interval '1 hour' where company_id = $1 and id = $2`,
    [companyId, entryId],
  );
  const { id: taskId } = await tasks.create(buildTask({ show_in_calendar: true, staff_id: rows[0]?.id ?? null }));
  const { id: viewId } = await jobViews.create({ id: randomUUID(), name: 'Waiting for parts', filter: { search: 'parts' } });
  return { supplierId, itemId, jobId, viewId, lineId, typedLineId, entryId, addedEntryId, taskId };
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

export const buildSections = (itemId: string) => [
  buildQuoteSection({ always_required: true, items: [buildQuoteLine({ supplier_item_id: itemId })] }),
  buildQuoteSection({ name: 'Towel rail', items: [buildQuoteLine({ supplier_item_id: itemId, quantity: '2.5' })] }),
];
