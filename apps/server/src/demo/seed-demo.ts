import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@callout/domain/time/time-units';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { scheduleJob } from '../features/calendar/schedule-event.ts';
import { categoryRecord } from '../features/categories/categories.sql.ts';
import { createCompanyWithOwner, dismissStartCard, saveOnboarding } from '../features/company/company.sql.ts';
import { customerRecord, storedFields } from '../features/customers/customers.sql.ts';
import { notifyPeople } from '../features/notifications/notifications.sql.ts';
import { putInvitation } from '../features/staff/invitations.sql.ts';
import { linkExpiry } from '../features/staff/send-invitation.ts';
import { createMember } from '../features/staff/staff.sql.ts';
import { itemRecord, storedItem, storedSupplier, supplierRecord } from '../features/suppliers/suppliers.sql.ts';
import { startTimer } from '../features/timer/run-timer.ts';
import { markEmailConfirmed } from '../platform/auth/account-changes.sql.ts';
import { newLinkToken } from '../platform/auth/password-links.sql.ts';
import { newCompanyFor } from '../platform/auth/session.sql.ts';
import type { Person } from '../platform/db/actor.ts';
import { createOnce } from '../platform/db/records.ts';
import { changeAs, type Tenant, type TenantScope } from '../platform/db/tenant-scope.ts';
import type { Platform } from '../platform/http/platform.ts';
import {
  addMember,
  agedCustomer,
  type DemoMember,
  introduceOwner,
  markInvitationDelivered,
  readOldNotifications,
  saveBankDetails,
  userIdOf,
} from './demo.sql.ts';
import { billingEvents, type DemoBill } from './demo-billing.ts';
import { addDemoComments } from './demo-comments.ts';
import { demoCustomers } from './demo-customers.ts';
import { type DemoJob, demoJobs } from './demo-jobs.ts';
import { addDemoLogo } from './demo-logo.ts';
import { type Crew, type Worker, workdayAfter } from './demo-plan.ts';
import { addDemoQuote, demoQuotes, type QuotedJob } from './demo-quotes.ts';
import { type DemoPriceList, demoPriceLists } from './demo-suppliers.ts';
import { addDemoTasks } from './demo-tasks.ts';

export const DEMO_PASSWORD = 'callout-demo';

/** One person of every role; the first owns the firm. */
export const DEMO_PEOPLE: readonly Omit<DemoMember, 'userId'>[] = [
  { name: 'Mia Tane', email: 'mia@demo.example', phone: '021 555 0001', role: 'admin', hourlyRate: '120.00' },
  { name: 'Josh Harper', email: 'josh@demo.example', phone: '021 555 0002', role: 'manager', hourlyRate: '105.00' },
  { name: 'Ngaire Bell', email: 'ngaire@demo.example', phone: '021 555 0003', role: 'accountant', hourlyRate: '90.00' },
  { name: 'Sam Leota', email: 'sam@demo.example', phone: '021 555 0004', role: 'staff', hourlyRate: '85.00' },
];

/** Who sends invoices and records payments. */
const BILLER = 'ngaire@demo.example';

/** Has not opened the mail yet; in the demo there is none. */
const INVITED = { name: 'Hemi Walker', email: 'hemi@demo.example', phone: '021 555 0005', role: 'staff', hourly_rate: '65.00' } as const;

const CATEGORIES = ['Bathrooms', 'Drains', 'Gas', 'Heating', 'Hot water', 'Maintenance'];

const MONTH_MS = 30.44 * DAY_MS;

/** A believable plumbing firm with a year behind it. Done once: a second start finds it there. */
export async function seedDemo(platform: Pick<Platform, 'config' | 'pools' | 'files' | 'log' | 'accounts' | 'now'>): Promise<void> {
  const { pools, accounts } = platform;
  const [owner, ...others] = DEMO_PEOPLE;
  if (!owner || (await userIdOf(pools.system, owner.email))) return;
  const ids = new Map<string, string>();
  for (const person of DEMO_PEOPLE) {
    const userId = await accounts.signUp(person.email, DEMO_PASSWORD);
    if (!userId) throw new Error(`The demo firm cannot be created: ${person.email} already has an account`);
    await markEmailConfirmed(pools.system, userId);
    ids.set(person.email, userId);
  }
  const withId = (person: Omit<DemoMember, 'userId'>): DemoMember => ({ ...person, userId: ids.get(person.email) ?? '' });
  const { tenant, founder, member } = newCompanyFor(personOf(withId(owner)), '');
  const ago = (months: number) => new Date(platform.now().getTime() - months * MONTH_MS).toISOString();
  const at = (months: number): Tenant => ({ ...tenant, now: ago(months) });

  const staffIds = new Map<string, string>();
  const categoryIds = new Map(CATEGORIES.map((name) => [name, randomUUID()]));
  await changeAs(pools.app, at(12.1), async (scope) => {
    await createCompanyWithOwner(scope, { ...member, userId: founder.userId, email: owner.email });
    await saveOnboarding(scope, COMPANY);
    await introduceOwner(scope, withId(owner), '18 Rosebank Road, Avondale, Auckland');
    await saveBankDetails(scope, PAYMENT_DETAILS);
    for (const person of others) staffIds.set(person.email, await addMember(scope, withId(person)));
    for (const [name, id] of categoryIds) await createOnce(scope, categoryRecord, id, { name });
  });
  for (const [index, { name, email }] of others.entries()) {
    const data = { staff_id: staffIds.get(email) ?? '' };
    await changeAs(pools.app, at(0.2 - index / 20), (scope) =>
      notifyPeople(scope, [founder.userId], { message: `${name} accepted your invitation`, type: 'success', data }),
    );
  }
  await dismissStartCard(pools.system, founder.userId);
  await addDemoLogo(platform, at(12));
  const apprenticeId = await changeAs(pools.app, at(0.05), inviteApprentice);
  const customers = demoCustomers(() => randomUUID());
  for (const [index, { customer, monthsAgo }] of customers.entries()) {
    const { id, ...fields } = customer;
    await changeAs(pools.app, at(monthsAgo), async (scope) => {
      await createOnce(scope, customerRecord, id, storedFields(fields));
      await agedCustomer(scope, id, {
        status: index % 11 === 5 ? 'inactive' : 'active',
        lastInteraction: index % 4 === 3 ? null : ago(monthsAgo * ((index % 5) / 5)),
      });
    });
  }
  const priceLists = demoPriceLists(() => randomUUID());
  await changeAs(pools.app, at(12), (scope) => addPriceLists(scope, priceLists));
  const workerOf = (email: string): Worker => {
    const person = others.find((other) => other.email === email) ?? owner;
    const staffId = staffIds.get(person.email) ?? '';
    return { staffId, person: { ...personOf(withId(person)), member: { companyId: tenant.companyId, staffId, role: person.role } } };
  };
  const [josh, sam] = [workerOf('josh@demo.example'), workerOf('sam@demo.example')];
  // The apprentice has no login yet: Josh writes down what he has done.
  const crew: Crew = { josh, sam, hemi: { ...josh, staffId: apprenticeId }, mia: { person: founder, staffId: member.staffId } };
  const jobs = demoJobs({
    zone: COMPANY.timezone,
    now: platform.now(),
    customers: customers.map(({ customer }) => customer),
    crew,
    categoryIds,
    itemIds: new Map(priceLists.flatMap(({ items }) => items.map(({ sku, id }) => [sku, id] as const))),
  });
  await changeAs(pools.app, at(0), async (scope) => {
    for (const { createdAt, add } of jobs) await add({ ...scope, now: createdAt });
  });
  const quotes = demoQuotes({
    now: platform.now(),
    zone: COMPANY.timezone,
    customerIds: customers.map(({ customer }) => customer.id),
    priceLists,
  });
  const quoted: QuotedJob[] = [];
  for (const quote of quotes) {
    const job = await addDemoQuote(pools.app, { ...tenant, now: ago(0) }, quote);
    if (job) quoted.push(job);
  }
  await bookQuotedJobs(platform, tenant, quoted, josh.staffId);
  const office = workerOf(BILLER).person;
  const events = billingEvents({
    zone: COMPANY.timezone,
    now: ago(0),
    forgottenItemId: priceLists.flatMap(({ items }) => items).find(({ sku }) => sku === FORGOTTEN_SKU)?.id ?? '',
    bills: [...jobs.filter(({ status }) => status === 'invoiced' || status === 'paid').map(billOf), ...quoted.map(billOf)].flat(),
    deposits: quoted,
  });
  await changeAs(pools.app, { ...tenant, actor: office, now: ago(0) }, async (scope) => {
    for (const { at: now, run } of events) await run({ ...scope, now });
  });
  const idsByName = new Map([...staffIds, [owner.email, member.staffId] as const].map(([email, id]) => [email.replace(/@.*/, ''), id]));
  await addDemoTasks(pools.app, { ...tenant, now: ago(0) }, COMPANY.timezone, idsByName);
  await addDemoComments(platform, { ...tenant, now: ago(0) }, jobs, founder);
  await changeAs(pools.app, at(0), readOldNotifications);
  await startWork(platform, tenant, jobs);
}

/** What was done of a quote has been paid. */
function billOf(done: DemoJob | QuotedJob): DemoBill[] {
  if (done.completedAt === null) return [];
  const [jobId, isPaid] = 'jobId' in done ? [done.jobId, true] : [done.id, done.status === 'paid'];
  return [{ jobId, completedAt: done.completedAt, isPaid }];
}

/** Jobs of accepted quotes get a day of Josh's, except the newest, which waits. */
async function bookQuotedJobs(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  tenant: Tenant,
  quoted: readonly QuotedJob[],
  staffId: string,
): Promise<void> {
  const today = localDate(now().toISOString(), COMPANY.timezone);
  const open = quoted
    .filter(({ completedAt }) => completedAt === null)
    .toSorted((one, other) => one.acceptedAt.localeCompare(other.acceptedAt));
  for (const [index, { jobId }] of open.slice(0, -1).entries()) {
    const starts_at = zonedInstant(workdayAfter(today, QUOTED_JOBS_FROM + index * 2), '08:30', COMPANY.timezone);
    const seen = { starts_at: null, duration: null, staff_id: null };
    await changeAs(pools.app, { ...tenant, now: now().toISOString() }, async (scope) => {
      await scheduleJob(scope, { id: jobId, starts_at, duration: '6', staff_id: staffId, seen });
    });
  }
}

/** Workdays ahead, with one between each two. */
const QUOTED_JOBS_FROM = 5;

/** Somebody is at work right now, since the job's booking where that has begun. */
async function startWork({ pools, now }: Pick<Platform, 'pools' | 'now'>, tenant: Tenant, jobs: readonly DemoJob[]): Promise<void> {
  const job = jobs.find(({ isUnderWay }) => isUnderWay);
  if (!job) return;
  const usual = Date.parse(job.at) + LATE_MS;
  const started = new Date(usual < now().getTime() ? usual : now().getTime() - SHORT_WHILE_MS).toISOString();
  const input = { id: randomUUID(), job_id: job.id, pause_others: true };
  await changeAs(pools.app, { ...tenant, actor: job.worker.person, now: started }, (scope) => startTimer(scope, input));
}

const LATE_MS = 4 * 60 * 1000;
const SHORT_WHILE_MS = 42 * 60 * 1000;

async function addPriceLists(scope: TenantScope, priceLists: readonly DemoPriceList[]): Promise<void> {
  for (const { supplier, items } of priceLists) {
    await createOnce(scope, supplierRecord, supplier.id, storedSupplier(supplier));
    for (const item of items) await createOnce(scope, itemRecord, item.id, storedItem(item));
  }
}

async function inviteApprentice(scope: TenantScope): Promise<string> {
  const id = randomUUID();
  await createMember(scope, { id, ...INVITED });
  await putInvitation(scope, id, { token_hash: newLinkToken().hash, expires_at: linkExpiry(scope.now), mail_id: null });
  await markInvitationDelivered(scope, id);
  return id;
}

const COMPANY = {
  company_name: 'Tane Plumbing & Gas',
  name: null,
  phone: '09 555 0000',
  gst_number: '123-456-789',
  gst_percentage: '15',
  paypal_email: 'pay@demo.example',
  currency: 'NZD' as const,
  timezone: 'Pacific/Auckland',
};

const PAYMENT_DETAILS = {
  bank_name: 'Kauri Bank',
  bank_account_number: '01-0123-0456789-00',
  add_paypal_fees: true,
  paypal_fee_percentage: '2.9',
  payment_terms_days: '7',
};

/** On the invoices that had to be corrected. */
const FORGOTTEN_SKU = 'SV-CALL';

function personOf({ userId, email }: DemoMember): Person {
  return { kind: 'person', userId, email, emailVerified: true, sessionId: '', member: null };
}
