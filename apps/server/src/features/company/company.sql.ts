import { type Onboarding, Profile, profileNotFoundError } from '@callout/contract/company';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import { getTaxRate } from '@callout/domain/tax/tax';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { deriveNameFromEmail } from '@callout/domain/validation/text-rules';
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import type pg from 'pg';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { getPerson } from '../../platform/db/actor.ts';
import { lockPrices } from '../../platform/db/locks.sql.ts';
import { buildChangeStamps, inCompany, pickColumns, type RecordType } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from './company.table.ts';

const profileColumns = pickColumns(companies, Profile.omit({ id: true, role: true }));

/** Finds the signed-in person's profile: in the specification, the company's details together with the person's role. */
export async function findProfile(scope: TenantScope): Promise<Profile | null> {
  const rows = await scope.db.select(profileColumns).from(companies).where(inCompany(scope, companies));
  const row = rows[0];
  const { userId, member } = getPerson(scope.actor);
  return row && member ? { ...row, ...formatPercentages(row), id: userId, role: member.role } : null;
}

type CompanyRow = typeof companies.$inferSelect;

export interface Issuer extends Pick<CompanyRow, 'currency'> {
  readonly issuer: Pick<CompanyRow, 'company_name' | 'address' | 'phone' | 'email'>;
  readonly logo_url: string | null;
  readonly timezone: string;
}

const { company_name, address, phone, email, currency, avatar_url, timezone } = companies;
const issuerColumns = { issuer: { company_name, address, phone, email }, currency, logo_url: avatar_url, timezone };

/** Reads the company details that appear on quotes and invoices. */
export async function readIssuer(scope: TenantScope): Promise<Issuer> {
  const [company] = await scope.db.select(issuerColumns).from(companies).where(inCompany(scope, companies));
  if (!company) throw new Error('This company no longer exists');
  return { ...company, timezone: company.timezone ?? 'UTC' };
}

/** Returns true once a customer has a quote, an invoice or a payment in the company's currency. */
export async function hasSentDocuments(scope: TenantScope): Promise<boolean> {
  const { rows } = await scope.db.execute<{ is_sent: boolean }>(sql`select has_sent_documents(${scope.companyId}) as is_sent`);
  return rows[0]?.is_sent ?? false;
}

/** A company's details, payment methods and payment terms, as used on its invoices. */
export interface BillingCompany extends Issuer {
  /** Today's date in the company's time zone, as 'yyyy-MM-dd'. */
  readonly today: string;
  /** Days until an invoice is due; null means that invoices are due on the booking date. */
  readonly termsDays: number | null;
  readonly fees: FeeSettings;
  readonly gst_number: string | null;
  readonly paypal_email: string | null;
  readonly bank_name: string | null;
  readonly bank_account_number: string | null;
}

export async function readBillingCompany(scope: TenantScope): Promise<BillingCompany> {
  const { gst_number, paypal_email, bank_name, bank_account_number, payment_terms_days, add_paypal_fees, paypal_fee_percentage } =
    companies;
  const [company] = await scope.db
    .select({
      ...issuerColumns,
      gst_number,
      paypal_email,
      bank_name,
      bank_account_number,
      termsDays: payment_terms_days,
      fees: { add_paypal_fees, paypal_fee_percentage },
    })
    .from(companies)
    .where(inCompany(scope, companies));
  if (!company) throw new Error('This company no longer exists');
  const zone = company.timezone ?? 'UTC';
  const termsDays = company.termsDays === null ? null : Number(company.termsDays);
  return { ...company, timezone: zone, termsDays, today: toLocalDate(scope.now, zone) };
}

export const companyRecordType: RecordType<typeof companies, Profile> = {
  table: companies,
  idColumn: companies.company_id,
  notFound: profileNotFoundError,
  conflicts: {},
  returning: null,
  find: findProfile,
};

/**
 * Updates the company's time of last activity, which the system administrator sees, at most every ten minutes. Skips a locked company,
 * because reads call this and never wait.
 */
export async function markCompanyActive(scope: TenantScope): Promise<void> {
  const isOutdated = sql`${companies.last_active} < ${scope.now}::timestamptz - interval '10 minutes'`;
  const outdated = scope.db
    .select({ company_id: companies.company_id })
    .from(companies)
    .where(and(inCompany(scope, companies), isOutdated))
    .for('no key update', { skipLocked: true });
  await scope.db.update(companies).set({ last_active: scope.now }).where(inArray(companies.company_id, outdated));
}

/** Converts percentages from their stored form (15.000) to the displayed form (15). */
function formatPercentages(row: { gst_percentage: string | null; paypal_fee_percentage: string | null }) {
  const trimZeros = (value: string | null) => value && value.replace(/\.?0+$/, '');
  return { gst_percentage: trimZeros(row.gst_percentage), paypal_fee_percentage: trimZeros(row.paypal_fee_percentage) };
}

/** Completes onboarding. Returns false if it was already completed, so that an outdated page can't overwrite later changes in Settings. */
export async function saveOnboarding(scope: TenantScope, { name, ...profile }: Onboarding): Promise<boolean> {
  const rows = await scope.db
    .update(companies)
    .set({ ...profile, onboarding_completed: true, ...buildChangeStamps(scope, companies.version) })
    .where(and(inCompany(scope, companies), eq(companies.onboarding_completed, false)))
    .returning({ version: companies.version });
  if (rows.length === 0) return false;
  if (name !== null) await renameCurrentUser(scope, name);
  return true;
}

async function renameCurrentUser(scope: TenantScope, name: string): Promise<void> {
  await scope.db
    .update(staff_members)
    .set({ name, ...buildChangeStamps(scope, staff_members.version) })
    .where(and(inCompany(scope, staff_members), eq(staff_members.profile_id, getPerson(scope.actor).userId)));
}

/** Sets the logo's URL and returns the previous URL. */
export async function replaceLogoUrl(scope: TenantScope, url: string | null): Promise<string | null> {
  const before = await scope.db
    .select({ avatar_url: companies.avatar_url })
    .from(companies)
    .where(inCompany(scope, companies))
    .for('no key update');
  await scope.db.update(companies).set({ avatar_url: url, updated_at: scope.now }).where(inCompany(scope, companies));
  return before[0]?.avatar_url ?? null;
}

export interface CompanyFounder {
  readonly companyId: string;
  readonly staffId: string;
  readonly userId: string;
  readonly email: string;
}

/** Creates a company without a name, and its first staff member, who is both the company's owner and an admin. */
export async function createCompanyWithOwner(scope: TenantScope, founder: CompanyFounder): Promise<void> {
  await scope.db.insert(companies).values({
    company_id: founder.companyId,
    email: founder.email,
    add_paypal_fees: false,
    onboarding_completed: false,
    created_at: scope.now,
    updated_at: scope.now,
    last_active: scope.now,
    version: 1,
  });
  await scope.db.insert(staff_members).values({
    company_id: founder.companyId,
    id: founder.staffId,
    profile_id: founder.userId,
    name: deriveNameFromEmail(founder.email),
    email: founder.email,
    role: 'admin',
    is_owner: true,
    color_id: await findLeastUsedColorId(scope),
    created_at: scope.now,
    updated_at: scope.now,
    version: 1,
  });
}

/** Finds the staff color that is used least in the company, for the next new member. */
export async function findLeastUsedColorId(scope: TenantScope): Promise<string | null> {
  const rows = await scope.db
    .select({ id: staff_colors.id })
    .from(staff_colors)
    .leftJoin(staff_members, and(inCompany(scope, staff_members), eq(staff_members.color_id, staff_colors.id)))
    .groupBy(staff_colors.id)
    .orderBy(asc(count(staff_members.id)), asc(staff_colors.name))
    .limit(1);
  return rows[0]?.id ?? null;
}

interface UserDetails {
  readonly name: string;
  readonly menu_order: string[] | null;
  readonly start_card_dismissed: boolean;
  readonly avatar_url: string | null;
  readonly hex_code: string | null;
  readonly pending_email: string | null;
}

export async function readUserDetails(pool: pg.Pool, userId: string): Promise<UserDetails> {
  const { rows } = await pool.query<UserDetails>({
    name: 'read-person',
    text: `select coalesce(m.name, u.name) as name, u.menu_order, u.start_card_dismissed, m.avatar_url, c.hex_code,
        e.new_email as pending_email
      from users u
      left join staff_members m on m.profile_id = u.id
      left join staff_colors c on c.id = m.color_id
      left join email_changes e on e.user_id = u.id and e.new_email <> u.email and e.expires_at > now()
      where u.id = $1`,
    values: [userId],
  });
  return rows[0] ?? { name: '', menu_order: null, start_card_dismissed: false, avatar_url: null, hex_code: null, pending_email: null };
}

export async function saveMenuOrder(pool: pg.Pool, userId: string, menuOrder: readonly string[] | null): Promise<void> {
  await pool.query('update users set menu_order = $2, updated_at = now() where id = $1', [userId, menuOrder && JSON.stringify(menuOrder)]);
}

export async function readCompanyName(scope: TenantScope): Promise<string | null> {
  const [company] = await scope.db.select({ name: companies.company_name }).from(companies).where(inCompany(scope, companies));
  return company?.name || null;
}

/** Reads the company's time zone, or returns UTC if none is set. */
export async function readTimezone(scope: TenantScope): Promise<string> {
  const [company] = await scope.db.select({ timezone: companies.timezone }).from(companies).where(inCompany(scope, companies));
  return company?.timezone ?? 'UTC';
}

/** Reads what new prices depend on: the GST rate, in percent, and the currency. Neither can change until the transaction ends. */
export async function readPriceTerms(scope: TenantScope): Promise<{ tax_rate: string; currency: string | null }> {
  await lockPrices(scope, scope.companyId);
  const columns = { gst_percentage: sql<string | null>`trim_scale(${companies.gst_percentage})::text`, currency };
  const [company] = await scope.db.select(columns).from(companies).where(inCompany(scope, companies));
  return { tax_rate: getTaxRate(company?.gst_percentage), currency: company?.currency ?? null };
}

export async function dismissStartCard(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update users set start_card_dismissed = true, updated_at = now() where id = $1 and not start_card_dismissed', [userId]);
}
